using Postrider.Broker.Accounts;
using Postrider.Broker.Trust;
using Postrider.Credentials;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>Authenticates clients and leaf nodes by an authorization callout.</summary>
/// <remarks>nats-server's behaviour decides for which clients it is called. Source: NATS ADR-26.</remarks>
internal static class CalloutConnect
{
    // Only the broker publishes to it.
    private const string CalloutSubject = "$SYS.REQ.USER.AUTH";

    /// <summary>Handles a CONNECT where the configuration has a callout.</summary>
    /// <param name="session">The session.</param>
    /// <param name="connect">The CONNECT.</param>
    /// <param name="authenticator">The current authenticator.</param>
    /// <param name="callout">The options of the callout.</param>
    /// <param name="delay">How long the check waits because attempts from its address failed.</param>
    /// <param name="batch">The batch of the frame.</param>
    public static void Begin(ClientSession session, ConnectInfo connect, Authenticator authenticator, AuthCalloutOptions callout, TimeSpan delay, SendBatch batch)
        => session.RunOffLoop(() => FindAsync(session, connect, authenticator, callout, delay), (found, later) => ControlFrameHandler.Accept(session, ShownConnect(connect, found), found, authenticator, later), batch);

    /// <summary>Asks the callout of an account in operator mode.</summary>
    /// <param name="peer">The connection.</param>
    /// <param name="tokens">The accounts of operator mode.</param>
    /// <param name="home">The user that the connection's own token names, and its account.</param>
    /// <returns>The user in the callout's response.</returns>
    /// <exception cref="AuthCalloutException">The callout rejects the client, or its response is invalid.</exception>
    /// <exception cref="UserTokenException">The user may not connect.</exception>
    public static async Task<TokenUser> AskAsync(CalloutPeer peer, TokenAuthenticator tokens, TokenUser home)
    {
        var account = home.Account;
        var settings = account.Claims.Authorization;
        var (answer, user, wasEncrypted) = await Callout(peer).AskAsync(Describe(peer), account.Account, account.Account.Name, settings.CurveKey).ConfigureAwait(false);
        // Stricter than nats-server, which trusts the response's own statement about its issuer.
        if (!wasEncrypted && account.Claims.FindSigner(answer.Issuer) is null) throw new AuthCalloutException("Auth callout signing key is unknown");
        var target = user.Account!;
        if (target != account.Account.Name && !settings.AllowedAccounts.Contains(target, StringComparer.Ordinal) && !settings.AllowedAccounts.Contains("*", StringComparer.Ordinal))
            throw new AuthCalloutException($"Account {GoQuote.Quote(user.Issuer!)} not permitted as valid account option for auth callout for account {GoQuote.Quote(account.Account.Name)}");
        var found = await tokens.AdmitAsync(user, peer.ConnectionType, peer.Address, CancellationToken.None).ConfigureAwait(false);
        return found with { Callout = account.Account, CalloutName = NameOf(peer, user) };
    }

    /// <summary>A client's CONNECT as it is shown once a callout has authenticated it.</summary>
    public static ConnectInfo ShownConnect(ConnectInfo connect, User? user)
        => user is { IsFromCallout: true } ? connect with { Jwt = null, Nkey = null, Token = null, User = user.Name } : connect;

    /// <summary>Describes a client's connection.</summary>
    public static CalloutPeer PeerOf(ClientSession session, ConnectInfo connect) => new(session.Name, connect)
    {
        Accounts = session.Context.Accounts,
        Callout = session.Context.Callout,
        Logger = session.Context.Logger,
        Time = session.Context.Time,
        Id = session.Id,
        UserName = session.State.NameIn(connect),
        RemoteAddress = session.RemoteAddress,
        Address = session.Address,
        Nonce = session.Nonce,
        Tls = session.Tls,
        VerifiesCertificates = session.Context.Options.Tls is { RequiresCertificate: true },
        ConnectionType = session.ConnectionType,
        Kind = "Client",
        Type = session.WebSocket is null ? "nats" : "websocket",
    };

    private static async ValueTask<User?> FindAsync(ClientSession session, ConnectInfo connect, Authenticator authenticator, AuthCalloutOptions callout, TimeSpan delay)
    {
        await session.Context.Throttle.WaitAsync(session.Address, delay).ConfigureAwait(false);
        return await FindAsync(PeerOf(session, connect), authenticator, callout).ConfigureAwait(false);
    }

    /// <summary>Finds the user of a connection where the configuration has a callout.</summary>
    /// <param name="peer">The connection.</param>
    /// <param name="authenticator">The current authenticator.</param>
    /// <param name="callout">The options of the callout.</param>
    /// <returns>Null when it is rejected; the log has the reason.</returns>
    public static async ValueTask<User?> FindAsync(CalloutPeer peer, Authenticator authenticator, AuthCalloutOptions callout)
    {
        try
        {
            var user = authenticator.Find(peer.CreateRequest());
            var home = peer.Accounts.Find(callout.Account) ?? throw new AuthCalloutException($"No valid account {GoQuote.Quote(callout.Account)} for auth callout request");
            if (IsDelegated(peer, user, callout)) user = await AskAsync(peer, home, callout).ConfigureAwait(false);
            return user is null ? null : Restrict(user, home);
        }
        catch (AuthCalloutException error)
        {
            SessionLog.CalloutRefused(peer.Logger, peer.Name, error.Message);
            return null;
        }
        catch (Exception error)
        {
            // Any error rejects the connection.
            SessionLog.Fault(peer.Logger, peer.Name, error);
            return null;
        }
    }

    // The callout is not called for the users of its service; an unknown user counts as one of the global account.
    private static bool IsDelegated(CalloutPeer peer, User? user, AuthCalloutOptions callout)
    {
        if (peer.UserName is { } name && callout.AuthUsers.Contains(name, StringComparer.Ordinal)) return false;
        return user is null || user.Account.Name == Account.GlobalName || callout.AllowedAccounts.Count == 0 || callout.AllowedAccounts.Contains(user.Account.Name, StringComparer.Ordinal);
    }

    private static async Task<User> AskAsync(CalloutPeer peer, Account home, AuthCalloutOptions callout)
    {
        var (answer, user, wasEncrypted) = await Callout(peer).AskAsync(Describe(peer), home, callout.Issuer, callout.CurveKey).ConfigureAwait(false);
        if (!wasEncrypted && answer.Issuer != callout.Issuer) throw new AuthCalloutException("Auth callout signing key is unknown");
        if (!string.IsNullOrEmpty(user.IssuerAccount)) throw new AuthCalloutException($"Error non operator mode account {GoQuote.Quote(home.Name)}: attempted to use issuer_account");
        if (user.Issuer != callout.Issuer)
            throw new AuthCalloutException($"Wrong issuer for auth callout response on account {GoQuote.Quote(home.Name)}, expected {GoQuote.Quote(callout.Issuer)} got {GoQuote.Quote(user.Issuer!)}");
        var account = peer.Accounts.Find(user.Audience ?? "")
            ?? throw new AuthCalloutException($"No valid account {GoQuote.Quote(user.Audience ?? "")} for auth callout response on account {GoQuote.Quote(home.Name)}: account missing");
        var settings = user.Settings ?? new UserSettings();
        if (!DailyTimes.Allow(settings, peer.Time.GetUtcNow(), out var until)) throw new AuthCalloutException($"Authorized user on account {GoQuote.Quote(home.Name)} outside of valid connect times");
        if (settings.AllowedConnectionTypes.Count > 0 && !settings.AllowedConnectionTypes.Contains(peer.ConnectionType, StringComparer.OrdinalIgnoreCase))
            throw new AuthCalloutException($"Authorized user on account {GoQuote.Quote(home.Name)} using invalid connection type");
        if (!SourceNetworks.Contain(settings.Sources, peer.Address)) throw new AuthCalloutException($"Bad src Ip {peer.Address}");
        return new User(NameOf(peer, user), account, UserPermissions.Create(ClaimPermissionOptions.Create(settings.Permissions) ?? account.Definition.DefaultPermissions))
        {
            MaxSubscriptions = ClaimAccountOptions.Limit(settings.MaxSubscriptions),
            MaxPayloadBytes = ClaimAccountOptions.PayloadLimit(settings.MaxPayload),
            EndsAt = until is null || user.Expires < until ? user.Expires : until,
            IsFromCallout = true,
        };
    }

    /// <summary>Whether a callout's response is still valid after a reload: nothing that it depends on has changed.</summary>
    /// <param name="user">The user in the response.</param>
    /// <param name="before">The authenticator before the reload.</param>
    /// <param name="now">The current authenticator.</param>
    /// <param name="accounts">The current accounts.</param>
    public static bool IsStillValid(User user, Authenticator before, Authenticator now, AccountRegistry accounts)
        => before.Callout is not null && before.Callout == now.Callout && ReferenceEquals(accounts.Find(user.Account.Name), user.Account);

    /// <summary>Prevents users of the service's account from sending requests to the service: only the broker may.</summary>
    public static User Restrict(User user, Account home)
    {
        if (!ReferenceEquals(user.Account, home)) return user;
        var (options, publish) = (user.Permissions?.Options ?? new PermissionOptions(), user.Permissions?.Options.Publish);
        var denied = new SubjectPermission { Allow = publish?.Allow, Deny = [.. publish?.Deny ?? [], CalloutSubject] };
        return user with { Permissions = UserPermissions.Create(new PermissionOptions { Publish = denied, Subscribe = options.Subscribe, Responses = options.Responses }) };
    }

    private static IAuthCallout Callout(CalloutPeer peer) => peer.Callout ?? throw new AuthCalloutException("The server has no keys for authorization callouts");

    private static string? NameOf(CalloutPeer peer, UserClaims user) => string.IsNullOrEmpty(user.Name) ? peer.UserName : user.Name;

    private static CalloutRequest Describe(CalloutPeer peer)
    {
        var connect = peer.Connect;
        var client = new AuthorizationClient
        {
            Host = peer.RemoteAddress,
            Id = (long)peer.Id,
            User = peer.UserName,
            Name = connect.Name,
            Kind = peer.Kind,
            Type = peer.Type,
            Nonce = string.IsNullOrEmpty(connect.Signature) ? null : peer.Nonce,
        };
        var said = new AuthorizationConnect
        {
            Jwt = connect.Jwt,
            Nkey = connect.Nkey,
            Signature = connect.Signature,
            Token = connect.Token,
            User = connect.User,
            Password = connect.Password,
            Name = connect.Name,
            Language = connect.Language,
            Version = connect.Version,
            Protocol = connect.Protocol,
        };
        return new CalloutRequest(client, said, peer.Tls is { } tls ? Describe(tls, peer.VerifiesCertificates) : null);
    }

    private static AuthorizationTls Describe(TlsConnection tls, bool isVerified)
    {
        IReadOnlyList<string> certificates = tls.RemoteCertificate is { } certificate ? [certificate.ExportCertificatePem() + "\n"] : [];
        return new AuthorizationTls
        {
            Version = SessionHandshake.VersionOf(tls.Protocol),
            CipherSuite = tls.CipherSuite.ToString(),
            Certificates = isVerified ? [] : certificates,
            VerifiedChains = isVerified && certificates.Count > 0 ? [certificates] : [],
        };
    }
}
