using System.Net.Security;
using Postrider.Broker.Sessions;
using Postrider.Sockets;

namespace Postrider.Broker.Routes;

/// <summary>Handles the TLS handshake of one accepted route, which comes before everything else.</summary>
internal sealed class RouteTlsServer : ITlsServer
{
    private readonly TlsMaterial _material;
    private RouteSession _session = null!;

    private RouteTlsServer(TlsMaterial material) => _material = material;

    /// <inheritdoc/>
    public bool AllowsPlain => false;

    /// <summary>Starts a session on a connection that is to be upgraded.</summary>
    public static void Accept(Connection connection, RouteContext context, TlsMaterial material)
    {
        var server = new RouteTlsServer(material);
        var tls = TlsConnection.CreateServer(connection, server, material.Options.Timeout, sendsPlainFirst: false);
        server._session = new RouteSession(tls, context, target: null);
        server._session.Start();
    }

    /// <inheritdoc/>
    public SslServerAuthenticationOptions? BeginHandshake() => _material.ForRoutes;

    /// <inheritdoc/>
    public void Secured()
    {
        if (_material.IsPinned(_session.Tls!.RemoteCertificate))
        {
            _session.Greet();
            return;
        }
        RouteLog.Problem(_session.Context.Logger, _session.Name, "TLS handshake error: certificate not pinned");
        _session.End(ClosedState.TlsHandshakeError, null);
    }

    /// <inheritdoc/>
    public void StaysPlain() => _session.End(ClosedState.TlsHandshakeError, null);
}
