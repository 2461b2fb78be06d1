using System.Net;
using System.Net.Security;
using Postrider.Sockets;
using Postrider.Sockets.WebSockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>Handles the handshake of one client of the WebSocket listener, up to the start of its session.</summary>
/// <remarks>Clients are rejected in the same way as by nats-server. Source: nats-server, websocket.</remarks>
internal sealed class WebSocketHandshake : IWebSocketServer, ITlsServer
{
    private readonly SessionContext _context;
    private readonly WebSocketContext _shared;
    private readonly string _remote;
    private TlsConnection? _tls;
    private WebSocketRequest? _request;
    private Func<ClosedState> _endState = static () => ClosedState.ClientClosed;

    private WebSocketHandshake(SessionContext context, WebSocketContext shared, EndPoint? remote)
        => (_context, _shared, _remote) = (context, shared, AddressText(remote));

    /// <inheritdoc/>
    public bool AllowsCompression => _shared.Options.Compression;

    /// <inheritdoc/>
    public string AnswerHeaders => _shared.AnswerHeaders;

    /// <inheritdoc/>
    public bool AllowsPlain => false;

    /// <summary>The client's address before proxies; null when there is no such header.</summary>
    public string? ForwardedFor { get; private set; }

    /// <summary>Serves a connection.</summary>
    /// <param name="connection">A connection that does not read yet.</param>
    /// <param name="context">The broker's context.</param>
    /// <param name="shared">The listener's context.</param>
    public static void Accept(Connection connection, SessionContext context, WebSocketContext shared)
    {
        var handshake = new WebSocketHandshake(context, shared, connection.RemoteEndPoint);
        if (shared.Tls is { } material) connection = handshake._tls = TlsConnection.CreateServer(connection, handshake, material.Options.Timeout, sendsPlainFirst: false);
        WebSocketConnection.CreateServer(connection, handshake, shared.Options.HandshakeTimeout, shared.MaxMessageBytes).BeginHandshake();
    }

    /// <summary>An address in the form used in the names of sessions.</summary>
    public static string AddressText(EndPoint? remote) => remote is IPEndPoint { Address: var address } end
        ? $"{(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address)}:{end.Port}"
        : "pipe";

    /// <summary>The name of the session in log lines.</summary>
    /// <param name="id">The session's id.</param>
    public string NameOf(ulong id)
    {
        if (ForwardedFor is not { } forwarded) return $"{_remote} - wid:{id}";
        return forwarded.Contains(':', StringComparison.Ordinal) ? $"[{forwarded}]/{_remote} - wid:{id}" : $"{forwarded}/{_remote} - wid:{id}";
    }

    /// <inheritdoc/>
    public WebSocketRefusal? Check(WebSocketRequest request)
    {
        var path = request.Target.Split('?')[0];
        if (path.EndsWith("/mqtt", StringComparison.Ordinal)) return new WebSocketRefusal(404, "mqtt websocket endpoint not enabled");
        if (IsLeafNode(path) && _context.AcceptLeafNode is null) return new WebSocketRefusal(404, "Not configured to accept leaf node connections");
        return _shared.CheckOrigin(request) is { } problem ? new WebSocketRefusal(403, $"origin not allowed: {problem}") : null;
    }

    /// <inheritdoc/>
    public void Opened(WebSocketConnection connection, WebSocketRequest request)
    {
        _request = request;
        if (IPAddress.TryParse(request.Find("X-Forwarded-For"), out var forwarded)) ForwardedFor = forwarded.ToString();
        if (IsLeafNode(request.Target.Split('?')[0]) && _context.AcceptLeafNode is { } accept)
        {
            _endState = accept(connection);
            return;
        }
        var session = new ClientSession(connection, _context, webSocket: this);
        _endState = () => session.EndState;
        session.Start();
    }

    /// <inheritdoc/>
    public void Refused(string reason) => SessionLog.Problem(_context.Logger, _remote, $"websocket handshake error: {reason}");

    /// <inheritdoc/>
    public WebSocketClose DescribeClose()
    {
        var end = _endState();
        return new WebSocketClose(StatusOf(end), end.ToText());
    }

    /// <summary>Adds the credentials of cookies to those of CONNECT.</summary>
    /// <param name="connect">The client's CONNECT, which takes precedence.</param>
    public ConnectInfo AddCookies(ConnectInfo connect)
    {
        var options = _shared.Options;
        return connect with
        {
            Jwt = Choose(connect.Jwt, options.JwtCookie),
            User = Choose(connect.User, options.UserCookie),
            Password = Choose(connect.Password, options.PasswordCookie),
            Token = Choose(connect.Token, options.TokenCookie),
        };
    }

    /// <inheritdoc/>
    public SslServerAuthenticationOptions? BeginHandshake() => _shared.Tls!.ForClients;

    /// <inheritdoc/>
    public void Secured()
    {
        if (_shared.Tls!.IsPinned(_tls!.RemoteCertificate)) return;
        SessionLog.Problem(_context.Logger, _remote, "TLS handshake error: certificate not pinned");
        _tls.Close();
    }

    /// <inheritdoc/>
    public void StaysPlain()
    {
        // Never called: this listener either has TLS or does not.
    }

    private static bool IsLeafNode(string path) => path.EndsWith("/leafnode", StringComparison.Ordinal);

    private string? Choose(string? said, string? cookie)
        => string.IsNullOrEmpty(said) && !string.IsNullOrEmpty(cookie) && _request!.FindCookie(cookie) is { } value ? value : said;

    private static WebSocketCloseStatus StatusOf(ClosedState end) => end switch
    {
        ClosedState.ClientClosed => WebSocketCloseStatus.NormalClosure,
        ClosedState.AuthenticationTimeout or ClosedState.AuthenticationViolation or ClosedState.SlowConsumerPendingBytes
            or ClosedState.SlowConsumerWriteDeadline or ClosedState.MaxAccountConnectionsExceeded or ClosedState.MaxConnectionsExceeded
            or ClosedState.MaxControlLineExceeded or ClosedState.MaxSubscriptionsExceeded
            or ClosedState.AuthenticationExpired or ClosedState.Revoked => WebSocketCloseStatus.PolicyViolation,
        ClosedState.TlsHandshakeError => WebSocketCloseStatus.TlsHandshake,
        ClosedState.ParseError or ClosedState.ProtocolViolation or ClosedState.BadClientProtocolVersion => WebSocketCloseStatus.ProtocolError,
        ClosedState.MaxPayloadExceeded => WebSocketCloseStatus.MessageTooBig,
        ClosedState.WriteError or ClosedState.ReadError or ClosedState.StaleConnection or ClosedState.ServerShutdown => WebSocketCloseStatus.GoingAway,
        _ => WebSocketCloseStatus.InternalServerError,
    };
}
