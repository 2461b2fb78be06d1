using System.Globalization;
using Microsoft.Extensions.Logging;
using Postrider.Broker.Sessions;
using Postrider.Broker.Trust;
using Postrider.Credentials;

namespace Postrider.Broker.Hosting;

/// <summary>Runs a broker's operator mode: the look-up of accounts, and the requests of system account users about them.</summary>
internal sealed class OperatorModeHost : IAsyncDisposable
{
    private static readonly TimeSpan BootstrapInterval = TimeSpan.FromSeconds(1);

    private readonly SessionContext _context;
    private readonly TrustedAccounts _accounts;
    private readonly IReadOnlyList<OperatorClaims> _operators;
    private readonly CancellationTokenSource _stopping = new();
    private ClaimsServices? _services;
    private ITimer? _bootstrap;

    private OperatorModeHost(SessionContext context, OperatorModeOptions mode)
    {
        _context = context;
        _operators = mode.ReadOperators();
        _accounts = new TrustedAccounts(new TrustedOperators(_operators, mode.TrustedKeys), CreateResolver(mode.Resolver, context.Time), context.Accounts, context.Time, context.Logger)
        {
            Changed = (account, before) => ClaimsReload.Apply(context, account, before),
            Expired = account => ClaimsReload.Expire(context, account),
        };
        context.Tokens = CreateAuthenticator(mode);
    }

    /// <summary>The accounts with tokens.</summary>
    public TrustedAccounts Accounts => _accounts;

    private OperatorModeOptions Mode => _context.Options.OperatorMode!;

    /// <summary>Takes settings from the operator's token where the options do not set them.</summary>
    public static void Complete(BrokerOptions options)
    {
        if (!string.IsNullOrEmpty(options.SystemAccount) || options.OperatorMode is not { Operators.Count: 1 } mode) return;
        if (mode.ReadOperators()[0].SystemAccount is { Length: > 0 } system) options.SystemAccount = system;
    }

    /// <summary>Creates the parts of operator mode.</summary>
    /// <param name="context">The broker's context.</param>
    /// <returns>Null outside of operator mode.</returns>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidOptions"/>: the resolver's folder or files cannot be used.</exception>
    public static OperatorModeHost? Create(SessionContext context)
    {
        if (context.Options.OperatorMode is not { IsOn: true } mode) return null;
        try
        {
            return new OperatorModeHost(context, mode);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or TlsFileException)
        {
            throw new BrokerException(BrokerError.InvalidOptions, $"Could not start resolver: {error.Message}", error);
        }
    }

    /// <summary>Looks up the accounts that must exist before clients connect: the system account and those with streams.</summary>
    /// <param name="store">The folder of the streams; null for none.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidOptions"/>: the system account or resolver is unavailable.</exception>
    public async Task StartAsync(string? store, CancellationToken ct)
    {
        AnnounceOperators();
        Preload();
        if (_accounts.Resolver is UrlResolver remote)
        {
            try
            {
                // To find out at once whether the address responds.
                await remote.FetchAsync("", ct).ConfigureAwait(false);
            }
            catch (AccountLookupException error)
            {
                throw new BrokerException(BrokerError.InvalidOptions, error.Message, error);
            }
        }
        if (_context.Options.SystemAccount is { Length: > 0 } system) await FindSystemAccountAsync(system, ct).ConfigureAwait(false);
        if (store is null || !Directory.Exists(store)) return;
        foreach (var key in Directory.EnumerateDirectories(store).Select(static folder => Path.GetFileName(folder)).Where(static name => PublicNkey.IsValid(name, NkeyKind.Account)))
        {
            try
            {
                await _accounts.FindAsync(key, ct).ConfigureAwait(false);
            }
            catch (AccountLookupException error)
            {
                BrokerLog.StreamsWithoutAccount(_context.Logger, key, error.Message);
            }
        }
    }

    /// <summary>Begins to serve the requests of the system account's users.</summary>
    public void Serve()
    {
        if (_context.Accounts.System is not { } system) return;
        _services = new ClaimsServices(_context, _accounts, system, _operators.Count > 0 ? _operators[0] : null);
        _services.Begin();
        if (_accounts.Resolver is DirectoryResolver resolver)
        {
            var lookup = new ClaimsLookup(_context, system, resolver.Timeout);
            resolver.Ask = lookup.AskAsync;
            if (Mode.Resolver is FullResolverOptions) TrustLog.ManagingAll(_context.Logger, resolver.Directory.Path);
            else TrustLog.ManagingSome(_context.Logger, resolver.Directory.Path);
        }
        if (_accounts.FindKnown(system.Name) is not { Token.Length: 0 }) return;
        TrustLog.Bootstrapping(_context.Logger);
        _bootstrap = _context.Time.CreateTimer(_ => _ = FetchSystemAccountAsync(system.Name), null, BootstrapInterval, BootstrapInterval);
    }

    /// <summary>Applies the options of a reload: looks the accounts up again and has the open sessions checked.</summary>
    public void Reload()
    {
        _context.Tokens = CreateAuthenticator(Mode);
        _ = ReloadAsync();
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        _bootstrap?.Dispose();
        if (_services is not null) await _services.DisposeAsync().ConfigureAwait(false);
        _accounts.Dispose();
        _stopping.Dispose();
    }

    private static IAccountResolver? CreateResolver(AccountResolverOptions? options, TimeProvider time) => options switch
    {
        MemoryResolverOptions => new MemoryResolver(),
        FullResolverOptions full => new DirectoryResolver(new TokenDirectory(TokenDirectoryOptions.Of(full), time), full.Timeout),
        CacheResolverOptions cache => new DirectoryResolver(new TokenDirectory(TokenDirectoryOptions.Of(cache), time), cache.Timeout),
        UrlResolverOptions url => new UrlResolver(url),
        _ => null,
    };

    private TokenAuthenticator CreateAuthenticator(OperatorModeOptions mode) => new(_accounts, mode, _context.Options.SystemAccount, _context.Time);

    private void AnnounceOperators()
    {
        var logger = _context.Logger;
        if (_operators.Count == 0) return;
        TrustLog.Operators(logger);
        foreach (var one in _operators)
        {
            // nats-server writes the token's audience, which no tool sets: always "".
            TrustLog.OperatorSystem(logger, GoQuote.Quote(one.Audience ?? one.SystemAccount ?? _context.Options.SystemAccount ?? ""));
            TrustLog.OperatorName(logger, GoQuote.Quote(one.Name ?? ""));
            TrustLog.OperatorIssued(logger, Text(one.IssuedAt));
            TrustLog.OperatorExpires(logger, one.Expires is null ? "Never" : Text(one.Expires));
        }
        if (string.IsNullOrEmpty(_context.Options.SystemAccount)) TrustLog.NoSystemAccount(logger);
    }

    private static string Text(DateTimeOffset? time) => time?.ToString("yyyy-MM-dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture) ?? "";

    private void Preload()
    {
        foreach (var (key, token) in Mode.PreloadedAccounts)
        {
            try
            {
                var claims = NatsJwt.DecodeAnyTime<AccountClaims>(token);
                if (claims.FindProblems() is { Count: > 0 } issues) Warn(key, issues);
                claims.CheckTime(_context.Time.GetUtcNow());
            }
            catch (CredentialsException error)
            {
                Warn(key, [error.Message]);
            }
            try
            {
                _accounts.Resolver?.Store(key, token);
            }
            catch (AccountLookupException error)
            {
                TrustLog.UpdateFailed(_context.Logger, key, error.Message);
            }
        }
    }

    private void Warn(string key, IReadOnlyList<string> issues)
    {
        TrustLog.AccountIssues(_context.Logger, key);
        foreach (var issue in issues) TrustLog.Issue(_context.Logger, issue);
    }

    private async Task FindSystemAccountAsync(string system, CancellationToken ct)
    {
        try
        {
            await _accounts.FindAsync(system, ct).ConfigureAwait(false);
        }
        catch (AccountLookupException error)
        {
            if (_accounts.Resolver is null && system == AccountOptions.DefaultSystemName) return;
            if (_operators.Count != 1 || _accounts.Resolver is MemoryResolver or null) throw new BrokerException(BrokerError.InvalidOptions, $"error resolving system account: {error.Message}", error);
            // Its users need to connect to push its token.
            _accounts.Bootstrap(system, _operators[0].Issuer!);
        }
    }

    private async Task FetchSystemAccountAsync(string system)
    {
        try
        {
            if (_accounts.FindKnown(system) is { Token.Length: 0 } account)
            {
                if (await _accounts.Resolver!.FetchAsync(system, _stopping.Token).ConfigureAwait(false) is not { } token) return;
                _accounts.Update(account, token);
                TrustLog.Bootstrapped(_context.Logger);
            }
            _bootstrap?.Dispose();
        }
        catch (Exception error) when (error is AccountLookupException or OperationCanceledException or ObjectDisposedException)
        {
            // The next attempt is in a second.
        }
    }

    private async Task ReloadAsync()
    {
        try
        {
            if (_accounts.Resolver is MemoryResolver memory)
            {
                memory.Clear();
                Preload();
                await _accounts.RefreshAsync(_stopping.Token).ConfigureAwait(false);
            }
            else if (_accounts.Resolver is DirectoryResolver { Directory: var directory })
            {
                foreach (var key in directory.Reload()) _services?.Update(key);
            }
            foreach (var session in _context.Sessions.Open) await TokenConnect.RecheckAsync(session, _context.Tokens!).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            BrokerLog.ServiceFailed(_context.Logger, "reload", error);
        }
    }
}
