using System.Buffers.Text;
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Broker.Trust;
using Postrider.Credentials;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>The state shared by all sessions of a broker.</summary>
internal sealed class SessionContext
{
    private static readonly WireJsonContext Json = new(new JsonSerializerOptions
    {
        PropertyNameCaseInsensitive = true,
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });

    // The length of nats-server's: 15 characters.
    private const int NonceBytes = 11;

    private long _lastId;
    private long _lastEvent;

    public SessionContext(BrokerOptions options, BrokerCertificates certificates, AccountRegistry accounts, ServerInfo info, SendBatchSet batches, ILogger logger)
    {
        Accounts = accounts;
        accounts.Batches = batches;
        Info = info;
        Batches = batches;
        Logger = logger;
        Throttle = new AuthThrottle(options.AuthThrottle, options.TimeProvider);
        Apply(options, certificates);
    }

    /// <summary>The broker's options; replaced by a reload.</summary>
    public BrokerOptions Options { get; private set; }

    /// <summary>The accounts; sessions belong to the global one until they have authenticated.</summary>
    public AccountRegistry Accounts { get; }

    /// <summary>The authenticator; replaced by a reload.</summary>
    public Authenticator Authenticator { get; private set; }

    /// <summary>The authenticator of tokens; null outside of operator mode. Set before there are sessions; replaced by a reload.</summary>
    public TokenAuthenticator? Tokens { get; set; }

    /// <summary>The certificates for new connections; null without TLS. Replaced by a reload.</summary>
    public TlsMaterial? Tls { get; private set; }

    /// <summary>The state shared by WebSocket clients; null without their listener. Replaced by a reload.</summary>
    public WebSocketContext? WebSocket { get; private set; }

    /// <summary>Serves a leaf node on a WebSocket, and returns a function for why it ends; null where leaf nodes are not accepted.</summary>
    public Func<Connection, Func<ClosedState>>? AcceptLeafNode { get; set; }

    /// <summary>The port of the WebSocket listener; 0 before it listens.</summary>
    public int WebSocketPort { get; set; }

    /// <summary>Limits the handshakes per second; replaced by a reload that changes the limit.</summary>
    public HandshakeRate HandshakeRate { get; private set; }

    /// <summary>Slows down addresses whose attempts to authenticate fail.</summary>
    public AuthThrottle Throttle { get; }

    /// <summary>Removes the subscriptions of closed sessions that had very many.</summary>
    public SessionCleanup Cleanup { get; } = new();

    /// <summary>Publishes the events of sessions; null without a system account. Set before there are sessions.</summary>
    public ISessionEvents? Events { get; set; }

    /// <summary>Called when the token of an account has changed, with the previous claims, or has expired, with null. Set before sessions.</summary>
    public Action<TrustedAccount, AccountClaims?>? ClaimsChanged { get; set; }

    /// <summary>Called when the name of the cluster has changed. Set before there are sessions.</summary>
    public Action? ClusterRenamed { get; set; }

    /// <summary>The cluster's name for clients and in events; that of a broker outside of clusters that connects to hubs is its own. Null for
    /// none.</summary>
    public string? ShownCluster => Info.Cluster is { Length: > 0 } name ? name : Options.LeafNodes is { Remotes.Count: > 0 } ? Info.ServerName : null;

    /// <summary>The address for leaf nodes that the other servers of the cluster announce to theirs; null for none.</summary>
    public string? LeafNodeUrl { get; set; }

    /// <summary>The addresses for leaf nodes of the other servers of the cluster.</summary>
    public IReadOnlyList<string> OtherLeafNodeUrls { get; set; } = [];

    /// <summary>Is called when the addresses for leaf nodes have changed.</summary>
    public Action? LeafNodeUrlsChanged { get; set; }

    /// <summary>The authorization callout; null where there is none. Set before there are sessions.</summary>
    public IAuthCallout? Callout { get; set; }

    /// <summary>Publishes messages that are traced; null traces none. Set before there are sessions.</summary>
    public IMessageTracer? Tracer { get; set; }

    /// <summary>The INFO of the broker; replaced when it changes.</summary>
    public ServerInfo Info { get; set; }

    /// <summary>The batches of all connections.</summary>
    public SendBatchSet Batches { get; }

    /// <summary>The open sessions, and some closed ones.</summary>
    public SessionRegistry Sessions { get; } = new();

    /// <summary>The log.</summary>
    public ILogger Logger { get; }

    /// <summary>Logs every operation; null when that is off.</summary>
    public ProtocolTrace? Trace { get; private set; }

    /// <summary>The clock.</summary>
    public TimeProvider Time => Options.TimeProvider;

    /// <summary>Whether headers are supported.</summary>
    public bool SupportsHeaders => !Options.NoHeaderSupport;

    /// <summary>The number of the next session, from 1.</summary>
    public ulong NextId() => (ulong)Interlocked.Increment(ref _lastId);

    /// <summary>The number of the next message that the broker publishes in the system account, from 1.</summary>
    public ulong NextEventSequence() => (ulong)Interlocked.Increment(ref _lastEvent);

    /// <summary>Creates the nonce of a connection.</summary>
    /// <returns>Empty when no user signs it, so that no cryptography library is loaded.</returns>
    public string CreateNonce()
    {
        if (!Authenticator.HasNkeys && Tokens is null) return "";
        Span<byte> nonce = stackalloc byte[NonceBytes];
        RandomNumberGenerator.Fill(nonce);
        return Base64Url.EncodeToString(nonce);
    }

    /// <summary>Applies changed options. Sessions update what they keep of the old ones themselves.</summary>
    [MemberNotNull(nameof(Options), nameof(Authenticator), nameof(HandshakeRate))]
    public void Apply(BrokerOptions options, BrokerCertificates certificates)
    {
        var limit = options.Tls?.ConnectionRateLimit ?? 0;
        if (HandshakeRate is null || limit != (Options?.Tls?.ConnectionRateLimit ?? 0)) HandshakeRate = new HandshakeRate(limit, options.TimeProvider);
        Options = options;
        Throttle.Options = options.AuthThrottle;
        Tls = certificates.Clients;
        Authenticator = new Authenticator(options, Accounts, options.Tls);
        WebSocket = options.WebSocket is { } webSocket ? new WebSocketContext(options, webSocket, certificates.WebSocket, Accounts) : null;
        Trace = options.Logging.Trace ? new ProtocolTrace(Logger, options.Logging.MaxTracedMessageLength) : null;
    }

    /// <summary>The lower of two limits, where -1 means no limit.</summary>
    public static int Lower(int one, int other) => one == -1 ? other : other == -1 ? one : Math.Min(one, other);

    /// <summary>Writes INFO for one session.</summary>
    /// <param name="session">The session; TLS is not required in the same process.</param>
    /// <param name="account">The session's account; null before CONNECT.</param>
    /// <param name="nonce">The nonce for nkey users; empty for none.</param>
    /// <param name="lameDuck">Whether the client is asked to leave although the broker stays.</param>
    public byte[] RenderInfo(ClientSession session, Account? account, string nonce, bool lameDuck = false)
    {
        var common = session.WebSocket is null ? ForPlainClient(session) : ForWebSocketClient();
        var info = common with
        {
            Cluster = ShownCluster,
            ClientId = session.Id,
            ClientIp = session.RemoteAddress,
            Nonce = nonce.Length > 0 ? nonce : null,
            MaxPayload = account is null ? Info.MaxPayload : Lower(Info.MaxPayload, SessionReload.MaxPayloadOf(session.State.User, account)),
            // A client that needs no credentials finds it set in its first INFO only.
            AuthRequired = account is null ? common.AuthRequired : session.Authenticator.IsRequired,
            RemoteAccount = account?.Name,
            IsSystemAccount = account is { IsSystem: true },
            ConnectInfo = account is not null,
            LameDuckMode = lameDuck || common.LameDuckMode,
        };
        var json = JsonSerializer.SerializeToUtf8Bytes(info, Json.ServerInfo);
        return [.. "INFO "u8, .. json, .. " \r\n"u8];
    }

    private ServerInfo ForPlainClient(ClientSession session)
    {
        var required = session.RemoteAddress is not null && (session.TlsCameFirst || Info.TlsRequired);
        return Info with { TlsRequired = required, TlsAvailable = !required && (Info.TlsAvailable || Info.TlsRequired) };
    }

    // This client's connection is encrypted already, and it uses the port of the other listener.
    private ServerInfo ForWebSocketClient()
    {
        var isSecure = WebSocket!.Tls is not null;
        return Info with
        {
            Host = WebSocket.Options.Host,
            Port = WebSocketPort,
            TlsRequired = isSecure,
            TlsAvailable = isSecure,
            AuthRequired = WebSocket.Authenticator is { IsRequired: true, HasNoAuthUser: false },
            ConnectUrls = Info.WebSocketConnectUrls,
            WebSocketConnectUrls = null,
        };
    }
}
