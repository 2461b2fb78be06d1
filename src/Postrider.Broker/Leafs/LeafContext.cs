using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using Postrider.Broker.Accounts;
using Postrider.Broker.Peers;
using Postrider.Broker.Sessions;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Leafs;

/// <summary>The state shared by all leaf node connections of a broker.</summary>
internal sealed class LeafContext
{
    private static readonly WireJsonContext Json = new(new JsonSerializerOptions
    {
        PropertyNameCaseInsensitive = true,
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });

    // The length of nats-server's: 15 characters.
    private const int NonceBytes = 11;

    // Found when the first leaf node connects.
    private IReadOnlyList<string>? _advertised;

    public LeafContext(SessionContext sessions, LeafNodeOptions options, TlsMaterial? tls)
    {
        Sessions = sessions;
        Apply(options, tls);
    }

    /// <summary>The state shared by the broker's sessions.</summary>
    public SessionContext Sessions { get; }

    /// <summary>The options; replaced by a reload.</summary>
    public LeafNodeOptions Options { get; private set; }

    /// <summary>The certificates for new connections; null without TLS. Replaced by a reload.</summary>
    public TlsMaterial? Tls { get; private set; }

    /// <summary>The authenticator of the broker's users, for a listener without users of its own; replaced by a reload.</summary>
    public Authenticator Authenticator { get; private set; }

    /// <summary>The same for leaf nodes that connect over WebSockets, whose listener may have another <c>no_auth_user</c>.</summary>
    public Authenticator WebSocketAuthenticator { get; private set; }

    /// <summary>The connections.</summary>
    public LeafRegistry Registry { get; } = new();

    /// <summary>The port of the listener; 0 before it listens.</summary>
    public int Port { get; set; }

    /// <summary>The log.</summary>
    public ILogger Logger => Sessions.Logger;

    /// <summary>The clock.</summary>
    public TimeProvider Time => Sessions.Time;

    /// <summary>The cluster name sent to other servers: that of its cluster, or the broker's name if it solicits connections, else none.</summary>
    public string ClusterName => Sessions.ShownCluster ?? "";

    /// <summary>Applies changed options, after those of the broker and its accounts.</summary>
    [System.Diagnostics.CodeAnalysis.MemberNotNull(nameof(Options), nameof(Authenticator), nameof(WebSocketAuthenticator))]
    public void Apply(LeafNodeOptions options, TlsMaterial? tls)
    {
        (Options, Tls, _advertised) = (options, tls, null);
        Authenticator = WebSocketAuthenticator = new Authenticator(Sessions.Options, Sessions.Accounts, options.Tls);
        if (Sessions.Options.WebSocket?.NoAuthUser is not { Length: > 0 } user) return;
        var authorization = (Sessions.Options.Authorization ?? new AuthorizationOptions()) with { NoAuthUser = user };
        WebSocketAuthenticator = new Authenticator(Sessions.Options with { Authorization = authorization }, Sessions.Accounts, options.Tls);
    }

    /// <summary>Creates the nonce of a connection.</summary>
    public static string CreateNonce()
    {
        Span<byte> nonce = stackalloc byte[NonceBytes];
        RandomNumberGenerator.Fill(nonce);
        return Base64Url.EncodeToString(nonce);
    }

    /// <summary>The address for leaf nodes that other servers of the cluster announce to theirs; null with <c>no_advertise</c>.</summary>
    public string? AnnouncedUrl => Options.NoAdvertise ? null : AdvertisedUrls[0];

    /// <summary>Writes INFO for an accepted connection.</summary>
    /// <param name="session">The connection.</param>
    /// <param name="account">Its account and its permissions; null before CONNECT.</param>
    public byte[] RenderInfo(LeafSession session, bool account)
        => Render(CreateInfo(session, account));

    /// <summary>Writes INFO that announces changed addresses to an accepted connection.</summary>
    /// <param name="session">The connection.</param>
    public byte[] RenderUrls(LeafSession session)
        => Render(CreateInfo(session, account: false) with { Nonce = null, Compression = null });

    /// <summary>Writes CONNECT.</summary>
    public static byte[] RenderConnect(LeafConnectInfo connect) => [.. "CONNECT "u8, .. JsonSerializer.SerializeToUtf8Bytes(connect, Json.LeafConnectInfo), .. "\r\n"u8];

    /// <summary>Reads INFO.</summary>
    /// <returns>Null for anything but a valid JSON object.</returns>
    public static ServerInfo? ParseInfo(ReadOnlySpan<byte> text) => PeerSessions.Parse(text, WireJsonContext.Default.ServerInfo);

    /// <summary>Reads CONNECT.</summary>
    /// <returns>Null for anything but a valid JSON object.</returns>
    public static LeafConnectInfo? ParseConnect(ReadOnlySpan<byte> text) => PeerSessions.Parse(text, WireJsonContext.Default.LeafConnectInfo);

    private ServerInfo CreateInfo(LeafSession session, bool account)
    {
        var permissions = account ? session.User?.Permissions?.Options : null;
        return Sessions.Info with
        {
            Protocol = PeerSessions.Protocol,
            Host = ListensEverywhere ? HostOf(AdvertisedUrls[0]) : Options.Host,
            Port = Port,
            AuthRequired = true,
            TlsRequired = Tls is not null,
            TlsVerify = Options.Tls is { RequiresCertificate: true },
            TlsAvailable = false,
            ClientId = session.Id,
            Nonce = account || session.Nonce.Length == 0 ? null : session.Nonce,
            ConnectUrls = null,
            WebSocketConnectUrls = session.IsWebSocket && !Options.NoAdvertise ? Sessions.Info.WebSocketConnectUrls : null,
            LameDuckMode = false,
            Compression = account || LeafCompression.IsCompressedBelow(session) ? null
                : session.Compression.IsChosen ? session.Compression.InfoMode : PeerCompression.TextOf(Options.Compression.Mode),
            InfoOnConnect = true,
            LeafNodeUrls = [.. AdvertisedUrls.Concat(Sessions.OtherLeafNodeUrls).Distinct(StringComparer.Ordinal)],
            ConnectInfo = account,
            RemoteAccount = account ? session.Account.Name : null,
            IsSystemAccount = account && session.Account.IsSystem,
            Import = Permitted(permissions?.Subscribe),
            Export = Permitted(permissions?.Publish),
        };
    }

    private static byte[] Render(ServerInfo info) => [.. "INFO "u8, .. JsonSerializer.SerializeToUtf8Bytes(info, Json.ServerInfo), .. "\r\n"u8];

    // Leaf nodes reconnect to these addresses: they must not get the wildcard address, which is their own machine.
    private IReadOnlyList<string> AdvertisedUrls => _advertised ??= Options.Advertise switch
    {
        { Length: > 0 } given => [given.Contains(':', StringComparison.Ordinal) ? given : $"{given}:{Port}"],
        _ => ListensEverywhere ? MachineAddresses.With(Port) : [MachineAddresses.Join(Options.Host, Port)],
    };

    private bool ListensEverywhere => MachineAddresses.IsWildcard(Options.Host);

    private static string HostOf(string url) => url[..url.LastIndexOf(':')].Trim('[', ']');

    private static PermittedSubjects? Permitted(SubjectPermission? permission) => permission is null
        ? null
        : new PermittedSubjects { Allow = permission.Allow is null ? null : [.. permission.Allow], Deny = permission.Deny is null ? null : [.. permission.Deny] };
}
