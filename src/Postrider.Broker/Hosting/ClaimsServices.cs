using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Broker.Sessions;
using Postrider.Broker.Trust;
using Postrider.Credentials;

namespace Postrider.Broker.Hosting;

/// <summary>Serves the requests of system account users about the tokens of accounts: push, look up, list and delete.</summary>
/// <remarks>Requests are handled one after the other on the pool, because they write files and close connections. Subjects and responses are
/// nats-server's. Source: nats-server, account resolvers.</remarks>
internal sealed class ClaimsServices : IAsyncDisposable
{
    private readonly ServiceQueue _queue;
    private readonly SessionContext _context;
    private readonly TrustedAccounts _accounts;
    private readonly Account _system;
    private readonly ClaimsAnswers _answers;
    private readonly OperatorClaims? _operator;
    private readonly TokenDirectory? _directory;
    private readonly bool _isCache;

    /// <summary>Creates the services.</summary>
    /// <param name="context">The broker's context.</param>
    /// <param name="accounts">The accounts.</param>
    /// <param name="system">The system account.</param>
    /// <param name="authority">The first operator; null for none.</param>
    public ClaimsServices(SessionContext context, TrustedAccounts accounts, Account system, OperatorClaims? authority)
    {
        (_context, _accounts, _system, _operator) = (context, accounts, system, authority);
        _answers = new ClaimsAnswers(context, system);
        _queue = new ServiceQueue(context);
        _directory = (accounts.Resolver as DirectoryResolver)?.Directory;
        _isCache = context.Options.OperatorMode?.Resolver is CacheResolverOptions;
    }

    private string Updated => _isCache ? "jwt updated cache" : "jwt updated";

    private string UpdateFailed => _isCache ? "jwt update cache resulted in error" : "jwt update resulted in error";

    private string ValidationFailed => _isCache ? "jwt update cache validation failed" : "jwt validation failed";

    /// <summary>Begins to serve.</summary>
    public void Begin()
    {
        Offer("$SYS.ACCOUNT.*.CLAIMS.UPDATE"u8, Update);
        Offer("$SYS.REQ.ACCOUNT.*.CLAIMS.UPDATE"u8, Update);
        if (_directory is not null)
        {
            Offer("$SYS.REQ.CLAIMS.UPDATE"u8, Update);
            Offer("$SYS.REQ.CLAIMS.LIST"u8, List);
            Offer("$SYS.REQ.CLAIMS.DELETE"u8, Delete);
            if (!_isCache)
            {
                Offer("$SYS.REQ.ACCOUNT.*.CLAIMS.LOOKUP"u8, LookUp);
                Offer("$SYS.REQ.CLAIMS.PACK"u8, Pack, "responder"u8);
            }
        }
        _queue.Begin();
    }

    /// <summary>Updates an account from its token in the folder.</summary>
    public void Update(string key)
    {
        if (_accounts.FindKnown(key) is not { } account || _directory?.Load(key) is not { } token) return;
        try
        {
            _accounts.Update(account, token);
        }
        catch (AccountLookupException error)
        {
            TrustLog.UpdateFailed(_context.Logger, GoQuote.Quote(key), error.Message);
        }
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _queue.DisposeAsync();

    private void Offer(ReadOnlySpan<byte> subject, Action<ServiceRequest> serve, ReadOnlySpan<byte> queueGroup = default)
        => _queue.Offer(_system, subject, serve, queueGroup);

    // The token before CLAIMS; empty when there is none.
    private static string AccountIn(ServiceRequest request)
    {
        var tokens = request.Subject.Split('.');
        return tokens.Length is 5 or 6 ? tokens[^3] : "";
    }

    private void Update(ServiceRequest request)
    {
        var named = AccountIn(request);
        if (_directory is null && request.Payload.Length == 0)
        {
            _answers.Send(request.ReplyTo, named, "jwt update error", "request body is empty");
            return;
        }
        var token = Encoding.UTF8.GetString(request.Payload).TrimEnd('\r', '\n');
        AccountClaims claims;
        try
        {
            claims = NatsJwt.DecodeAnyTime<AccountClaims>(token);
        }
        catch (CredentialsException error)
        {
            _answers.Send(request.ReplyTo, _directory is not null && (named.Length == 0 || !_isCache) ? "n/a" : named, UpdateFailed, error.Message);
            return;
        }
        var account = named.Length > 0 ? named : claims.Subject;
        if (_directory is null) UpdateKnown(request.ReplyTo, account, claims, token);
        else if (account != claims.Subject) _answers.Send(request.ReplyTo, account, UpdateFailed, "subject does not match jwt content");
        else if (_operator is { RequireSigningKeys: true } && claims.Issuer == _operator.Subject) _answers.Send(request.ReplyTo, account, UpdateFailed, "operator requires issuer to be a signing key");
        else if (_isCache && _accounts.FindKnown(account) is null) _answers.Send(request.ReplyTo, account, "jwt update cache skipped", null);
        else if (TrustedAccounts.FindProblems(claims) is { Count: > 0 } problems) _answers.Send(request.ReplyTo, account, ValidationFailed, $"validation errors: [{string.Join(' ', problems)}]");
        else if (ClaimAccountOptions.FindMappingProblem(claims) is { } problem) _answers.Send(request.ReplyTo, account, ValidationFailed, problem);
        // The update would lock the account out.
        else if (!_accounts.Operators.Trusts(claims)) _answers.Send(request.ReplyTo, account, UpdateFailed, "it was not signed by a trusted operator");
        else Save(_directory, request.ReplyTo, account, token);
    }

    private void Save(TokenDirectory directory, string replyTo, string account, string token)
    {
        try
        {
            if (directory.Save(account, token)) Update(account);
            _answers.Send(replyTo, account, Updated, null);
        }
        catch (AccountLookupException error)
        {
            if (error.InnerException is { } cause) TrustLog.UpdateFailed(_context.Logger, GoQuote.Quote(account), cause.Message);
            _answers.Send(replyTo, account, UpdateFailed, error.Message);
        }
    }

    // Without a folder, only accounts in use can be updated, and the update lasts until the broker ends.
    private void UpdateKnown(string replyTo, string account, AccountClaims claims, string token)
    {
        if (claims.Subject != account)
        {
            _answers.Send(replyTo, account, UpdateFailed, "subject does not match jwt content");
            return;
        }
        if (_accounts.FindKnown(account) is not { } known)
        {
            _answers.Send(replyTo, account, "jwt update skipped", null);
            return;
        }
        try
        {
            _accounts.Update(known, token);
            _answers.Send(replyTo, account, Updated, null);
        }
        catch (AccountLookupException error)
        {
            _answers.Send(replyTo, account, UpdateFailed, error.Message);
        }
    }

    private void List(ServiceRequest request) => _answers.SendList(request.ReplyTo, _directory!.Keys);

    private void LookUp(ServiceRequest request) => _answers.Send(request.ReplyTo, Encoding.UTF8.GetBytes(_directory!.Load(AccountIn(request)) ?? ""));

    private void Pack(ServiceRequest request)
    {
        if (!request.Payload.AsSpan().SequenceEqual(_directory!.Hash))
        {
            foreach (var key in _directory.Keys)
                if (_directory.Load(key) is { Length: > 0 } token) _answers.Send(request.ReplyTo, Encoding.UTF8.GetBytes($"{key}|{token}"));
        }
        // An empty message ends the response.
        _answers.Send(request.ReplyTo, []);
    }

    private void Delete(ServiceRequest request)
    {
        var (subject, keys, problem) = DeletionRequest.Read(Encoding.UTF8.GetString(request.Payload), _directory!.Delete, IsOperatorKey, _system.Name);
        if (problem is not null)
        {
            _answers.Send(request.ReplyTo, "", $"delete accounts request by {subject} failed", problem);
            return;
        }
        var (deleted, errors) = (0, new List<string>());
        foreach (var key in keys)
        {
            try
            {
                if (_directory.TryDelete(key)) _accounts.Delete(key);
                deleted++;
            }
            catch (AccountLookupException error)
            {
                if (error.InnerException is { } cause) TrustLog.UpdateFailed(_context.Logger, GoQuote.Quote(key), cause.Message);
                errors.Add(error.Message);
            }
        }
        if (errors.Count == 0) _answers.Send(request.ReplyTo, "", $"deleted {deleted} accounts", null);
        else _answers.Send(request.ReplyTo, "", $"deleted {deleted} accounts, failed for {errors.Count}", string.Join('\n', errors));
    }

    private bool IsOperatorKey(string key) => _operator?.Trusts(key) == true;
}
