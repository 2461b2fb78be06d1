using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Postrider.Broker.Accounts;
using Postrider.Credentials;

namespace Postrider.Broker.Trust;

/// <summary>The accounts that are described by tokens: looks them up on demand, and keeps them up to date.</summary>
/// <remarks>Thread-safe. An account is added to the broker's accounts when it is first looked up. Source: nats-server,
/// account resolvers.</remarks>
internal sealed class TrustedAccounts : IDisposable
{
    // An account whose token has expired is looked up again, but not more often than this.
    private static readonly TimeSpan ShortestInterval = TimeSpan.FromSeconds(1);

    private readonly ConcurrentDictionary<string, TrustedAccount> _known = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, Lazy<Task<TrustedAccount>>> _lookups = new(StringComparer.Ordinal);

    // Held while an account changes and while the callbacks run; the registry's lock is taken inside.
    private readonly Lock _changes = new();
    private readonly AccountRegistry _registry;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;

    /// <summary>Creates an empty set.</summary>
    /// <param name="operators">The trusted operators.</param>
    /// <param name="resolver">Where accounts are looked up; null for nowhere.</param>
    /// <param name="registry">The broker's accounts.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">The log.</param>
    public TrustedAccounts(TrustedOperators operators, IAccountResolver? resolver, AccountRegistry registry, TimeProvider time, ILogger logger)
        => (Operators, Resolver, _registry, _time, _logger) = (operators, resolver, registry, time, logger);

    /// <summary>The trusted operators.</summary>
    public TrustedOperators Operators { get; }

    /// <summary>Where accounts are looked up; null for nowhere.</summary>
    public IAccountResolver? Resolver { get; }

    /// <summary>Called with the previous claims when the claims of an account have changed.</summary>
    public Action<TrustedAccount, AccountClaims>? Changed { get; set; }

    /// <summary>Called when the token of an account has expired, or the account was deleted.</summary>
    public Action<TrustedAccount>? Expired { get; set; }

    /// <summary>The accounts that were looked up.</summary>
    public IReadOnlyList<TrustedAccount> Known => [.. _known.Values];

    /// <summary>Finds an account that was looked up before.</summary>
    public TrustedAccount? FindKnown(string key) => _known.GetValueOrDefault(key);

    /// <summary>Finds an account, and looks it up if it is unknown or its token has expired.</summary>
    /// <param name="key">Its public key.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <exception cref="AccountLookupException">The account is not found, is invalid, or has expired.</exception>
    public async ValueTask<TrustedAccount> FindAsync(string key, CancellationToken ct)
    {
        if (_known.TryGetValue(key, out var known) && !known.IsExpired) return known;
        if (known is not null && _time.GetElapsedTime(known.LookedUpAt) < ShortestInterval) throw new AccountLookupException("account expired");
        // Concurrent requests for one account, as from many clients, share one look-up.
        var lookup = _lookups.GetOrAdd(key, static (key, self) => new Lazy<Task<TrustedAccount>>(() => self.LookUpAsync(key)), this);
        return await lookup.Value.WaitAsync(ct).ConfigureAwait(false);
    }

    /// <summary>Reads the token of an account and checks that it is currently valid and signed by a trusted operator.</summary>
    /// <exception cref="AccountLookupException">The token is not valid.</exception>
    public AccountClaims Verify(string token)
    {
        try
        {
            var claims = NatsJwt.DecodeAnyTime<AccountClaims>(token);
            if (!Operators.Trusts(claims)) throw new AccountLookupException("account validation failed: it was not signed by a trusted operator");
            claims.CheckTime(_time.GetUtcNow());
            return FindProblems(claims) is { Count: > 0 } problems ? throw new AccountLookupException($"account validation failed: {problems[0]}") : claims;
        }
        catch (CredentialsException error)
        {
            throw new AccountLookupException(error.Message, error);
        }
    }

    /// <summary>Finds problems that make an account invalid at any time.</summary>
    /// <returns>One sentence for each; empty when there are none.</returns>
    public static IReadOnlyList<string> FindProblems(AccountClaims claims) => [.. claims.FindProblems(), .. ClaimSharing.FindProblems(claims)];

    /// <summary>Replaces the token of an account.</summary>
    /// <exception cref="AccountLookupException">The token is invalid, is not trusted, or belongs to another account.</exception>
    public void Update(TrustedAccount account, string token)
    {
        if (string.Equals(account.Token, token, StringComparison.Ordinal) && !account.IsExpired) return;
        var claims = Verify(token);
        if (!string.Equals(claims.Subject, account.Account.Name, StringComparison.Ordinal)) throw new AccountLookupException("account validation failed: the token belongs to another account");
        Replace(account, claims, token);
    }

    /// <summary>Adds the system account before its token is known: its own key signs its users.</summary>
    public void Bootstrap(string key, string issuer)
    {
        var claims = new AccountClaims { Subject = key, Issuer = issuer };
        Add(claims, "");
    }

    /// <summary>Locks out an account that was deleted: its connections end, and new ones are rejected.</summary>
    public void Delete(string key)
    {
        if (!_known.TryGetValue(key, out var account)) return;
        lock (_changes)
        {
            account.LookedUpAt = _time.GetTimestamp();
            account.Timer?.Dispose();
            account.IsExpired = true;
            // Its streams stay on the disk, in case the account comes back.
            _registry.Put(account.Account.Definition with { JetStream = null, Exports = [], Imports = [] });
            Expired?.Invoke(account);
        }
    }

    /// <summary>Looks all known accounts up again, and removes those that no longer exist.</summary>
    /// <returns>The accounts that were removed: the caller has to close their connections.</returns>
    public async Task<IReadOnlyList<TrustedAccount>> RefreshAsync(CancellationToken ct)
    {
        var gone = new List<TrustedAccount>();
        foreach (var account in Known)
        {
            var key = account.Account.Name;
            try
            {
                Update(account, await FetchAsync(key, ct).ConfigureAwait(false));
            }
            catch (AccountLookupException)
            {
                TrustLog.Deleting(_logger, GoQuote.Quote(key));
                Forget(account);
                gone.Add(account);
            }
        }
        return gone;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (var account in _known.Values) account.Timer?.Dispose();
        Resolver?.Dispose();
    }

    private async Task<TrustedAccount> LookUpAsync(string key)
    {
        try
        {
            var token = await FetchAsync(key, CancellationToken.None).ConfigureAwait(false);
            if (_known.TryGetValue(key, out var known))
            {
                known.LookedUpAt = _time.GetTimestamp();
                Update(known, token);
                return known.IsExpired ? throw new AccountLookupException("account expired") : known;
            }
            var claims = Verify(token);
            if (!string.Equals(claims.Subject, key, StringComparison.Ordinal)) throw new AccountLookupException("account validation failed: the token belongs to another account");
            var account = Add(claims, token);
            await FindExportersAsync(claims).ConfigureAwait(false);
            return account;
        }
        finally
        {
            _lookups.TryRemove(key, out _);
        }
    }

    private async Task<string> FetchAsync(string key, CancellationToken ct)
    {
        if (!PublicNkey.IsValid(key, NkeyKind.Account)) throw new AccountLookupException("will only fetch valid account keys");
        if (Resolver is null) throw new AccountLookupException("account missing");
        try
        {
            return await Resolver.FetchAsync(key, ct).ConfigureAwait(false) ?? throw new AccountLookupException("account missing");
        }
        catch (AccountLookupException error)
        {
            TrustLog.FetchFailed(_logger, error.Message);
            throw;
        }
    }

    private TrustedAccount Add(AccountClaims claims, string token)
    {
        lock (_changes)
        {
            if (_known.TryGetValue(claims.Subject, out var other)) return other;
            var account = new TrustedAccount(_registry.Put(Describe(claims)), claims, token) { LookedUpAt = _time.GetTimestamp() };
            Watch(account);
            _known[claims.Subject] = account;
            LinkImporters(claims.Subject);
            return account;
        }
    }

    private void Replace(TrustedAccount account, AccountClaims claims, string token)
    {
        lock (_changes)
        {
            TrustLog.Updating(_logger, claims.Subject, claims.Name ?? "");
            var before = account.Claims;
            account.Update(claims, token);
            Watch(account);
            _registry.Put(Describe(claims));
            account.Account.UpdatedAt = _time.GetUtcNow();
            LinkImporters(claims.Subject);
            Changed?.Invoke(account, before);
        }
        _ = FindExportersAsync(claims);
    }

    private void Forget(TrustedAccount account)
    {
        lock (_changes)
        {
            account.Timer?.Dispose();
            _known.TryRemove(account.Account.Name, out _);
            _registry.Remove(account.Account.Name);
        }
    }

    // The accounts that this one imports from; they may import from it in turn.
    private async Task FindExportersAsync(AccountClaims claims)
    {
        foreach (var key in claims.Imports.Select(static import => import.Account).Distinct(StringComparer.Ordinal))
        {
            try
            {
                if (!_known.ContainsKey(key)) await FindAsync(key, CancellationToken.None).ConfigureAwait(false);
            }
            catch (AccountLookupException error)
            {
                TrustLog.NoExporter(_logger, key, claims.Subject, error.Message);
            }
        }
    }

    private void LinkImporters(string exporter)
    {
        foreach (var other in _known.Values)
            if (other.Account.Name != exporter && !other.IsExpired && other.Claims.Imports.Any(import => import.Account == exporter)) _registry.PutImporter(Describe(other.Claims));
    }

    private AccountOptions Describe(AccountClaims claims)
    {
        var options = ClaimAccountOptions.Create(claims);
        options.Exports = ClaimSharing.Exports(claims);
        if (claims.Imports.Count > 0) options.Imports = [.. FindImports(claims)];
        return options;
    }

    // Without imports that would form a cycle or that are duplicates.
    private IEnumerable<ImportOptions> FindImports(AccountClaims claims)
    {
        var others = _known.Values.Where(other => other.Account.Name != claims.Subject).Select(static other => other.Account.Definition).ToList();
        var exports = others.ToDictionary(static other => other.Name, AccountExports.Create, StringComparer.Ordinal);
        exports[claims.Subject] = AccountExports.Create(new AccountOptions { Name = claims.Subject, Exports = ClaimSharing.Exports(claims) });
        var cycles = new ImportCycles(exports);
        foreach (var other in others)
            foreach (var known in other.Imports)
                if (ImportPath.Create(known, out _) is { } taken) cycles.Add(other.Name, known, taken);
        var now = _time.GetUtcNow();
        foreach (var import in claims.Imports)
        {
            var found = ClaimSharing.Import(import, claims.Subject, _known.TryGetValue(import.Account, out var exporter) ? exporter.Claims : null, now);
            var problem = "";
            if (ImportPath.Create(found, out problem) is { } path)
            {
                problem = cycles.FindProblem(claims.Subject, found, path) ?? (cycles.FindDuplicate(claims.Subject, found, path) is null ? null : "it exists already");
                if (problem is null)
                {
                    cycles.Add(claims.Subject, found, path);
                    yield return found;
                    continue;
                }
            }
            TrustLog.ImportRefused(_logger, found.Subject, claims.Subject, problem ?? "");
        }
    }

    // Starts a timer for the expiry of its token.
    private void Watch(TrustedAccount account)
    {
        account.Timer?.Dispose();
        account.Timer = null;
        account.IsExpired = false;
        var (claims, now) = (account.Claims, _time.GetUtcNow());
        if (claims.Expires <= now)
        {
            account.IsExpired = true;
            return;
        }
        var next = ClaimSharing.FindNextEnd(claims, now) is { } end && !(claims.Expires < end) ? end : claims.Expires;
        if (next is not { } time) return;
        var due = time - now;
        account.Timer = _time.CreateTimer(_ => OnTime(account, claims), null, TimerDue.NoLonger(due), Timeout.InfiniteTimeSpan);
    }

    // The token of the account has expired, or that of an import, or neither yet.
    private void OnTime(TrustedAccount account, AccountClaims claims)
    {
        lock (_changes)
        {
            if (!ReferenceEquals(account.Claims, claims) || account.IsExpired) return;
            Watch(account);
            if (account.IsExpired) Expired?.Invoke(account);
            else if (claims.Imports.Count > 0) _registry.PutImporter(Describe(claims));
        }
    }
}
