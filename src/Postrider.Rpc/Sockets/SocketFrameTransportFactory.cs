using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Postrider.Rpc.Framing;
using Postrider.Sockets;

namespace Postrider.Rpc.Sockets;

/// <summary>Connects over TCP or a Unix domain socket, with TLS or without.</summary>
internal sealed class SocketFrameTransportFactory(EndPoint endPoint, SslClientAuthenticationOptions? tls, EngineKind engine) : IFrameTransportFactory
{
    private readonly bool _usesEpoll = tls is null && Engines.UsesEpoll(engine);

    // The text of a DnsEndPoint begins with the family: Unspecified/localhost:5090.
    public string Address { get; } = endPoint is DnsEndPoint dns ? $"{dns.Host}:{dns.Port}" : endPoint.ToString() ?? "";

    public async ValueTask<FrameTransport> ConnectAsync(CancellationToken ct)
    {
        if (_usesEpoll)
            return await EpollConnector.ConnectAsync(endPoint, ct).ConfigureAwait(false);
        var socket = endPoint is UnixDomainSocketEndPoint
            ? new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)
            : new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await socket.ConnectAsync(endPoint, ct).ConfigureAwait(false);
            return tls is null ? new SocketFrameTransport(socket) : await SecureAsync(socket, tls, ct).ConfigureAwait(false);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static async ValueTask<FrameTransport> SecureAsync(Socket socket, SslClientAuthenticationOptions tls, CancellationToken ct)
    {
        if (socket.AddressFamily != AddressFamily.Unix)
            socket.NoDelay = true;
        var stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
        try
        {
            await stream.AuthenticateAsClientAsync(tls, ct).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is AuthenticationException or IOException)
        {
            throw new AuthenticationException($"TLS handshake failed: {failure.Message}", failure);
        }

        return new StreamFrameTransport(stream, SocketFrameTransport.PeerName(socket.RemoteEndPoint));
    }
}
