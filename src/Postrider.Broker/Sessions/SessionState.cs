using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Broker.Trust;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>A client's CONNECT, user and permissions. Changed by the thread that handles its frames.</summary>
internal sealed class SessionState(Account account)
{
    /// <summary>The account that the client's subjects belong to.</summary>
    public Account Account { get; private set; } = account;

    /// <summary>Accounts that the client belonged to before, by an earlier CONNECT: an ending subscription may be in one of them.</summary>
    public IReadOnlyList<Account> EarlierAccounts { get; private set; } = [];

    /// <summary>Maximum number of subscriptions; -1 for no limit.</summary>
    public int MaxSubscriptions { get; set; } = -1;

    /// <summary>The client's user; null until it has authenticated.</summary>
    public User? User { get; private set; }

    /// <summary>What the user's token grants; null for a user without one.</summary>
    public TokenUser? TokenUser { get; set; }

    /// <summary>The key that signed the user's token, or the account of an nkey user; null for other users.</summary>
    public string? IssuerKey => IssuerOf(TokenUser, User, Connect?.Nkey);

    /// <summary>The user's token; null without one, and for a bearer token, which others must not see.</summary>
    public string? ShownToken => ShownOf(TokenUser, Connect?.Jwt);

    /// <summary>The key that signed a user's token, or the account of an nkey user; null for other users.</summary>
    /// <param name="token">What the token grants; null without one.</param>
    /// <param name="user">The user; null before it has authenticated.</param>
    /// <param name="nkey">The nkey in CONNECT.</param>
    public static string? IssuerOf(TokenUser? token, User? user, string? nkey)
        => token is not null ? token.Grant.User.Issuer : string.IsNullOrEmpty(nkey) ? null : user?.Account.Name;

    /// <summary>A user's token; null without one, and for a bearer token, which others must not see.</summary>
    /// <param name="token">What the token grants; null without one.</param>
    /// <param name="jwt">The token in CONNECT.</param>
    public static string? ShownOf(TokenUser? token, string? jwt) => token is { Grant.IsBearer: false } ? jwt : null;

    /// <summary>The client's CONNECT; null before.</summary>
    public ConnectInfo? Connect { get; private set; }

    /// <summary>The description of the client that services receive.</summary>
    /// <param name="address">Its address; null in the same process.</param>
    /// <param name="startedAt">When the connection was accepted.</param>
    /// <param name="roundTrip">The last measured round trip.</param>
    /// <param name="type"><c>nats</c> or <c>websocket</c>.</param>
    public ClientInfo Describe(string? address, DateTimeOffset startedAt, TimeSpan roundTrip, string type)
    {
        var user = TokenUser?.Grant.User;
        return new ClientInfo(address, Connect?.Name, Connect?.Language, Connect?.Version, startedAt, roundTrip)
        {
            Token = ShownToken,
            IssuerKey = IssuerKey,
            NameTag = user?.Name,
            Tags = user?.Tags ?? [],
            EndsAt = User?.EndsAt,
            Type = type,
        };
    }

    /// <summary>The client in log lines, as nats-server writes it: after its address and id the client's version, language and name, and
    /// its account and user, as far as they are known.</summary>
    /// <param name="origin">Its address and id.</param>
    public string LabelOf(string origin)
    {
        if (!ConnectReceived || Connect is not { } connect) return origin;
        var version = string.IsNullOrEmpty(connect.Version) ? null : $"v{connect.Version}";
        var client = string.Join(':', new[] { version, connect.Language, connect.Name }.Where(static part => !string.IsNullOrEmpty(part)));
        var user = UserLabel(connect) is { } label ? $"{(Account.NameTag == Account.Name ? Account.Name : $"{Account.Name}/{Account.NameTag}")}/{label}" : "";
        return $"{origin}{(client.Length > 0 ? $" - {GoQuote.Quote(client)}" : "")}{(user.Length > 0 ? $" - {GoQuote.Quote(user)}" : "")}";
    }

    // Without secrets: a token is not shown.
    private string? UserLabel(ConnectInfo connect)
    {
        if (!string.IsNullOrEmpty(connect.Nkey)) return $"nkey:{connect.Nkey}";
        if (!string.IsNullOrEmpty(connect.User)) return $"user:{connect.User}";
        if (!string.IsNullOrEmpty(connect.Jwt)) return $"jwt:{TokenUser?.Grant.User.Subject}";
        return string.IsNullOrEmpty(connect.Token) ? null : "token";
    }

    /// <summary>Whether CONNECT was received, or is not required.</summary>
    public bool ConnectReceived { get; set; }

    /// <summary>Whether a PING was answered.</summary>
    public bool FirstPongSent { get; set; }

    /// <summary>Whether operations are answered with <c>+OK</c>. True until CONNECT sets it.</summary>
    public bool Verbose { get; private set; } = true;

    /// <summary>Whether published subjects are checked. True until CONNECT sets it.</summary>
    public bool Pedantic { get; private set; } = true;

    /// <summary>Whether the client receives its own messages.</summary>
    public bool Echo { get; private set; } = true;

    /// <summary>Whether both client and broker support headers.</summary>
    public bool Headers { get; private set; }

    /// <summary>Whether requests without responders are answered with status 503.</summary>
    public bool NoResponders { get; private set; }

    /// <summary>Whether a subscription ended since the last PING.</summary>
    public bool UnsubscribedSincePing { get; set; }

    /// <summary>Whether every publish needs the slow path: verbose, pedantic, restricted, mapped or traced.</summary>
    public bool RequiresSlowPath { get; private set; } = true;

    /// <summary>What may be published; null for anything.</summary>
    public PublishPermissionCache? PublishPermissionCache { get; private set; }

    /// <summary>The reply subjects that the client may publish to; null without such permission.</summary>
    public ReplyPermissions? ReplyPermissions { get; private set; }

    /// <summary>Whether the client supports INFO at any time.</summary>
    public bool TakesInfo => Connect is { Protocol: >= 1 } && FirstPongSent;

    /// <summary>Applies a CONNECT.</summary>
    /// <param name="connect">The client's CONNECT.</param>
    /// <param name="supportsHeaders">Whether the broker supports headers.</param>
    /// <param name="isTraced">Whether every frame is logged.</param>
    public void Accept(ConnectInfo connect, bool supportsHeaders, bool isTraced)
    {
        Connect = connect;
        ConnectReceived = true;
        Verbose = connect.Verbose;
        Pedantic = connect.Pedantic;
        Echo = connect.Echo;
        Headers = supportsHeaders && connect.Headers;
        NoResponders = connect.NoResponders;
        Refresh(isTraced);
    }

    /// <summary>Stores the CONNECT of a client that is rejected, for events and monitoring.</summary>
    public void Refuse(ConnectInfo connect) => Connect ??= connect;

    /// <summary>The user that a client named; secret tokens are not shown.</summary>
    /// <param name="connect">Its CONNECT.</param>
    /// <returns>Null when it named none.</returns>
    public string? NameIn(ConnectInfo connect) => NameIn(connect, TokenUser?.Grant.User.Subject);

    /// <summary>The user that a CONNECT names; secret tokens are not shown.</summary>
    /// <param name="connect">The CONNECT.</param>
    /// <param name="tokenUser">The key of the user in its token; null when that is not known.</param>
    /// <returns>Null when it named none.</returns>
    public static string? NameIn(ConnectInfo connect, string? tokenUser)
    {
        if (!string.IsNullOrEmpty(connect.Nkey)) return connect.Nkey;
        if (!string.IsNullOrEmpty(connect.User)) return connect.User;
        if (!string.IsNullOrEmpty(connect.Jwt)) return tokenUser;
        return string.IsNullOrEmpty(connect.Token) ? null : "[REDACTED]";
    }

    /// <summary>Updates whether publishes need the slow path.</summary>
    /// <param name="isTraced">Whether every frame is logged.</param>
    public void Refresh(bool isTraced) => RequiresSlowPath = Verbose || Pedantic || isTraced || PublishPermissionCache is not null || Account.Mappings is not null;

    /// <summary>Sets the user.</summary>
    public void Authenticate(User user, TimeProvider time)
    {
        User = user;
        if (!ReferenceEquals(Account, user.Account))
        {
            if (!EarlierAccounts.Contains(Account)) EarlierAccounts = [.. EarlierAccounts, Account];
            Account = user.Account;
        }
        var permissions = user.Permissions;
        PublishPermissionCache = permissions?.Publish is { } rules ? new PublishPermissionCache(rules) : null;
        ReplyPermissions = permissions?.Responses is { } responses ? new ReplyPermissions(responses, time) : null;
        RequiresSlowPath = true;
    }
}
