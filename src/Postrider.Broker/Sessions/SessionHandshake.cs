using System.Net.Security;
using System.Security.Authentication;
using Postrider.Sockets;

namespace Postrider.Broker.Sessions;

/// <summary>Starts one session of a listener with TLS: decides between handshake and INFO, up to its first INFO.</summary>
/// <remarks>The order of INFO and handshake, and the errors, are those of nats-server. Source: nats-server, observed.</remarks>
internal sealed class SessionHandshake : ITlsServer
{
    private readonly SessionContext _context;
    private readonly TlsMaterial _material;
    private readonly bool _allowsPlain;

    // Guards whether INFO was sent before the handshake began.
    private readonly Lock _gate = new();
    private ClientSession _session = null!;
    private ITimer? _fallback;
    private bool _isInfoSent;
    private bool _hasBegun;

    private SessionHandshake(SessionContext context, TlsMaterial material)
    {
        _context = context;
        _material = material;
        _allowsPlain = context.Options.AllowNonTls;
    }

    /// <summary>Whether the handshake came before INFO.</summary>
    public bool CameFirst { get; private set; }

    /// <inheritdoc/>
    public bool AllowsPlain => _allowsPlain && Volatile.Read(ref _isInfoSent);

    // If there is no choice between the two, each connection begins with a handshake.
    private bool IsCertain => !_allowsPlain && !_material.Options.HandshakeFirst;

    /// <summary>Creates a session on a connection that may be upgraded.</summary>
    /// <param name="connection">A connection that does not read yet.</param>
    /// <param name="context">The broker's context.</param>
    /// <param name="material">The current certificates.</param>
    public static ClientSession CreateSession(Connection connection, SessionContext context, TlsMaterial material)
    {
        var handshake = new SessionHandshake(context, material);
        var tls = TlsConnection.CreateServer(connection, handshake, material.Options.Timeout);
        handshake._session = new ClientSession(tls, context, handshake);
        return handshake._session;
    }

    /// <summary>Sends INFO unless the handshake comes first.</summary>
    public void SendFirstInfo()
    {
        if (!_material.Options.HandshakeFirst) SendInfoNow();
    }

    /// <summary>Called when the session is registered, before it reads. It may end the session.</summary>
    public void Begin()
    {
        if (IsCertain && !CountHandshake()) return;
        var fallback = _material.Options.HandshakeFirstFallback;
        if (_material.Options.HandshakeFirst && fallback > TimeSpan.Zero)
            _fallback = _context.Time.CreateTimer(static state => ((SessionHandshake)state!).FallBack(), this, fallback, Timeout.InfiniteTimeSpan);
    }

    /// <inheritdoc/>
    public SslServerAuthenticationOptions? BeginHandshake()
    {
        if (!IsCertain && !CountHandshake()) return null;
        lock (_gate)
        {
            _hasBegun = true;
            CameFirst = !_isInfoSent;
        }
        _fallback?.Dispose();
        SessionLog.HandshakeBegins(_context.Logger, _session.Name);
        return _material.ForClients;
    }

    /// <inheritdoc/>
    public void Secured()
    {
        var tls = _session.Tls!;
        // A reload may have changed the pins during the handshake.
        if ((_context.Tls ?? _material).Rejects(tls))
        {
            SessionLog.Problem(_context.Logger, _session.Name, "TLS handshake error: certificate not pinned");
            _session.End(ClosedState.TlsHandshakeError, null);
            return;
        }
        SessionLog.HandshakeComplete(_context.Logger, _session.Name);
        SessionLog.Negotiated(_context.Logger, _session.Name, VersionOf(tls.Protocol), tls.CipherSuite.ToString());
        if (CameFirst) SendInfoNow();
        _session.StartTimers();
    }

    /// <inheritdoc/>
    public void StaysPlain() => _session.StartTimers();

    /// <summary>Logs a failed handshake.</summary>
    /// <param name="error">The error, or null.</param>
    public void Failed(Exception? error)
    {
        _fallback?.Dispose();
        if (error is TimeoutException) SessionLog.HandshakeTimeout(_context.Logger, _session.Name);
        // Probes of load balancers and port scanners.
        else if (error is InvalidDataException) SessionLog.HandshakeRefused(_context.Logger, _session.Name, error.Message);
        else SessionLog.Problem(_context.Logger, _session.Name, $"TLS handshake error: {Describe(error)}");
    }

    /// <summary>The name of a version in monitoring: <c>1.3</c>.</summary>
    public static string VersionOf(SslProtocols protocol) => protocol switch
    {
        SslProtocols.Tls12 => "1.2",
        SslProtocols.Tls13 => "1.3",
        _ => protocol.ToString(),
    };

    private bool CountHandshake()
    {
        var allowed = _context.HandshakeRate.TryBegin(out var refusedBefore);
        if (refusedBefore > 0) SessionLog.RateLimited(_context.Logger, refusedBefore);
        if (!allowed) _session.End(ClosedState.MaxConnectionsExceeded, "Connection throttling is active. Please try again later.");
        return allowed;
    }

    private void FallBack()
    {
        _fallback?.Dispose();
        lock (_gate)
        {
            if (_hasBegun) return;
        }
        SendInfoNow();
    }

    private void SendInfoNow()
    {
        lock (_gate) _isInfoSent = true;
        _session.SendFirstInfo();
    }

    // The messages of the outer exceptions only refer to the inner one.
    private static string Describe(Exception? error)
    {
        if (error is null) return "connection closed";
        return error.InnerException is { } inner && inner.Message.Length > 0 ? $"{error.Message} {inner.Message}" : error.Message;
    }
}
