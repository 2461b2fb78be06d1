using System.Net;
using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Broker.Sessions;
using Postrider.Broker.Trust;
using Postrider.Credentials;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Leafs;

/// <summary>Finds the user of an accepted leaf node connection: among the users of its listener, else as for a client.</summary>
/// <remarks>Source: nats-server, authorization of leaf nodes.</remarks>
internal static class LeafAuthenticator
{
    /// <summary>Finds the user of a connection. May be slow.</summary>
    /// <param name="session">The connection.</param>
    /// <param name="connect">Its CONNECT.</param>
    /// <returns>Null when the credentials are missing or wrong.</returns>
    public static async ValueTask<User?> FindAsync(LeafSession session, LeafConnectInfo connect)
    {
        var context = session.Context;
        try
        {
            if (context.Options.HasOwnUsers) return FindOwn(session, connect, hasSigned: false);
            if (context.Sessions.Tokens is { } tokens)
            {
                var request = new UserTokenRequest(connect.Jwt, session.Nonce, connect.Signature, ConnectionTypeOf(session), AddressOf(session));
                var found = await tokens.AuthenticateAsync(request, CancellationToken.None, mayDelegate: true).ConfigureAwait(false);
                if (found.Grant.IsDelegated) found = await CalloutConnect.AskAsync(PeerOf(session, connect, found.Grant.User.Subject), tokens, found).ConfigureAwait(false);
                session.Token = found;
                return TokenConnect.CalloutOf(found) is { } service ? CalloutConnect.Restrict(found.ToUser(), service) : found.ToUser();
            }
            var authenticator = AuthenticatorOf(session);
            if (authenticator is { Callout: { } callout, IsRequired: true })
                return await CalloutConnect.FindAsync(PeerOf(session, connect, null), authenticator, callout).ConfigureAwait(false);
            return authenticator.Find(PeerOf(session, connect, null).CreateRequest());
        }
        catch (Exception error) when (error is UserTokenException or AuthCalloutException)
        {
            LeafLog.Detail(context.Logger, session.Name, error.Message);
            return null;
        }
        catch (Exception error)
        {
            // Any error rejects the connection.
            LeafLog.Fault(context.Logger, session.Name, error);
            return null;
        }
    }

    /// <summary>Finds the user of an open connection after a reload; see <see cref="Authenticator.Renew"/>.</summary>
    /// <param name="session">An accepted connection that is registered.</param>
    /// <param name="before">The authenticator before the reload.</param>
    /// <returns>Null when the connection must be closed.</returns>
    public static User? Renew(LeafSession session, Authenticator before)
    {
        if (session.ConnectInfo is not { } connect) return null;
        var authenticator = AuthenticatorOf(session);
        // The callout is not asked again: the leaf node reconnects and is checked by the new rules, unless nothing changed.
        if (session.User is { IsFromCallout: true } known)
            return CalloutConnect.IsStillValid(known, before, authenticator, session.Context.Sessions.Accounts) ? known : null;
        return session.Context.Options.HasOwnUsers
            ? FindOwn(session, connect, hasSigned: true)
            : authenticator.Renew(session.User, PeerOf(session, connect, null).CreateRequest(), before);
    }

    /// <summary>The other server's address; null within the process.</summary>
    public static IPAddress? AddressOf(LeafSession session) => IPAddress.TryParse(session.RemoteAddress, out var parsed) ? parsed : null;

    private static Authenticator AuthenticatorOf(LeafSession session) => session.IsWebSocket ? session.Context.WebSocketAuthenticator : session.Context.Authenticator;

    private static User? FindOwn(LeafSession session, LeafConnectInfo connect, bool hasSigned)
    {
        var options = session.Context.Options;
        if (options.User is { Length: > 0 } name) return FindNamed(session, [new LeafUserOptions { Name = name, Password = options.Password ?? "", Account = options.Account }], connect.User, connect.Password);
        if (options.Nkey is { Length: > 0 } nkey)
        {
            var isKnown = nkey == connect.Nkey && (hasSigned || NkeySignature.Verify(PublicNkey.Parse(nkey), session.Nonce, connect.Signature));
            return isKnown && AccountOf(session, options.Account) is { } account ? new User(nkey, account, null) : null;
        }
        if (options.Tls is not { VerifyAndMap: true }) return FindNamed(session, options.Users, connect.User, connect.Password);
        return FindMapped(session, options.Users) is { } mapped ? FindNamed(session, [mapped], mapped.Name, connect.Password) : null;
    }

    // If two users match, the one whose name comes first in the certificate is taken.
    private static LeafUserOptions? FindMapped(LeafSession session, IReadOnlyList<LeafUserOptions> users)
    {
        if (session.Tls?.RemoteCertificate is not { } certificate || CertificateNames.TryRead(certificate) is not { } names) return null;
        return names.Alternatives.Concat(names.Written).Select(name => users.FirstOrDefault(user => user.Name == name)).FirstOrDefault(static user => user is not null);
    }

    private static User? FindNamed(LeafSession session, IReadOnlyList<LeafUserOptions> users, string? name, string? password)
    {
        var given = Encoding.UTF8.GetBytes(password ?? "");
        var user = users.FirstOrDefault(known => known.Name == name);
        var secret = user is null ? null : SecretOf(user);
        if (user is not null && secret!.Matches(given)) return AccountOf(session, user.Account) is { } account ? new User(user.Name, account, null) : null;
        // As for clients, the time does not tell which names exist.
        if (secret is not { Cost: > 0 }) StoredCredential.DecoyOf(users.Select(SecretOf))?.Matches(given);
        return null;
    }

    private static StoredCredential SecretOf(LeafUserOptions user) => new(user.Password ?? "");

    private static Account? AccountOf(LeafSession session, string? name)
        => string.IsNullOrEmpty(name) ? session.Context.Sessions.Accounts.Global : session.Context.Sessions.Accounts.Find(name);

    // The connection type that users can be restricted to.
    private static string ConnectionTypeOf(LeafSession session) => session.IsWebSocket ? ConnectionTypes.LeafNodeOverWebSocket : ConnectionTypes.LeafNode;

    private static CalloutPeer PeerOf(LeafSession session, LeafConnectInfo connect, string? tokenUser) => PeerOf(session, ConnectOf(connect), tokenUser);

    private static CalloutPeer PeerOf(LeafSession session, ConnectInfo connect, string? tokenUser) => new(session.Name, connect)
    {
        Accounts = session.Context.Sessions.Accounts,
        Callout = session.Context.Sessions.Callout,
        Logger = session.Context.Logger,
        Time = session.Context.Time,
        Id = session.Id,
        UserName = SessionState.NameIn(connect, tokenUser),
        RemoteAddress = session.RemoteAddress,
        Address = AddressOf(session),
        Nonce = session.Nonce,
        Tls = session.Tls,
        VerifiesCertificates = session.Context.Options.Tls is { RequiresCertificate: true },
        ConnectionType = ConnectionTypeOf(session),
        Kind = "Leafnode",
    };

    /// <summary>The credentials, name and version in a leaf node's CONNECT, as in a client's.</summary>
    public static ConnectInfo ConnectOf(LeafConnectInfo connect) => new()
    {
        Nkey = connect.Nkey,
        Jwt = connect.Jwt,
        Signature = connect.Signature,
        User = connect.User,
        Password = connect.Password,
        Token = connect.Token,
        Name = connect.Name,
        Version = connect.Version,
    };
}
