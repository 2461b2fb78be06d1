using System.Net.Security;
using Postrider.Broker.Sessions;
using Postrider.Sockets;

namespace Postrider.Broker.Leafs;

/// <summary>Handles the TLS handshake of one accepted leaf node connection.</summary>
internal sealed class LeafTlsServer : ITlsServer
{
    private readonly LeafContext _context;
    private readonly TlsMaterial _material;

    // Guards whether INFO was sent before the handshake began.
    private readonly Lock _gate = new();
    private LeafSession _session = null!;
    private ITimer? _fallback;
    private bool _isInfoSent;
    private bool _hasBegun;

    private LeafTlsServer(LeafContext context, TlsMaterial material) => (_context, _material) = (context, material);

    /// <inheritdoc/>
    public bool AllowsPlain => false;

    /// <summary>Starts a session on a connection that is to be upgraded.</summary>
    public static void Accept(Connection connection, LeafContext context, TlsMaterial material)
    {
        var server = new LeafTlsServer(context, material) { _isInfoSent = !material.Options.HandshakeFirst };
        var tls = TlsConnection.CreateServer(connection, server, material.Options.Timeout);
        server._session = new LeafSession(tls, context, remote: null);
        if (material.Options is { HandshakeFirst: true, HandshakeFirstFallback: var fallback } && fallback > TimeSpan.Zero)
            server._fallback = context.Time.CreateTimer(static state => ((LeafTlsServer)state!).FallBack(), server, fallback, Timeout.InfiniteTimeSpan);
        server._session.Start(sendsInfo: server._isInfoSent);
    }

    /// <inheritdoc/>
    public SslServerAuthenticationOptions? BeginHandshake()
    {
        lock (_gate) _hasBegun = true;
        _fallback?.Dispose();
        return _material.ForClients;
    }

    /// <inheritdoc/>
    public void Secured()
    {
        // A reload may have changed the pins during the handshake.
        if ((_context.Tls ?? _material).Rejects(_session.Tls))
        {
            LeafLog.Problem(_context.Logger, _session.Name, "TLS handshake error: certificate not pinned");
            _session.End(ClosedState.TlsHandshakeError, null);
            return;
        }
        _session.AwaitConnect();
        lock (_gate)
        {
            if (_isInfoSent) return;
            _isInfoSent = true;
        }
        _session.SendFirstInfo();
    }

    /// <inheritdoc/>
    public void StaysPlain() => _session.End(ClosedState.TlsHandshakeError, "Secure Connection - TLS Required");

    private void FallBack()
    {
        _fallback?.Dispose();
        lock (_gate)
        {
            if (_hasBegun || _isInfoSent) return;
            _isInfoSent = true;
        }
        _session.SendFirstInfo();
    }
}
