using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Claims;
using System.Security.Cryptography.X509Certificates;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Sockets;

namespace Postrider.Rpc;

/// <summary>Serves contracts over TCP or a Unix domain socket, with concurrent calls on each connection.</summary>
/// <remarks>An operation starts on the thread that read its request, so that a quick one never switches threads, or on the thread pool. A
/// blocking operation delays others by at most 4 milliseconds before another thread continues reading; later operations of its connection
/// start on the thread pool. Thread-safe.</remarks>
public sealed class SocketServer : IAsyncDisposable
{
    private static readonly TimeSpan s_drainCheck = TimeSpan.FromMilliseconds(5);

    private readonly Socket _listener;
    private readonly CancellationTokenSource _closing = new();
    private readonly ConnectionServer _host;
    private Task _accepting = Task.CompletedTask;
    private int _isClosed;

    private SocketServer(Socket listener, ConnectionServer host)
    {
        (_listener, _host) = (listener, host);
        EndPoint = listener.LocalEndPoint!;
    }

    /// <summary>The endpoint, with the actual port if port 0 was requested.</summary>
    public EndPoint EndPoint { get; }

    /// <summary>The number of open connections.</summary>
    public int Connections => _host.Connections;

    /// <summary>The clients that can be called: those that sent a name.</summary>
    public RpcPeers Peers => _host.Peers;

    private SocketServerOptions Options => _host.Options;

    /// <summary>Starts a server.</summary>
    /// <param name="endPoint">The endpoint to listen on: an <see cref="IPEndPoint"/> (port 0 for a free port) or a
    /// <c>UnixDomainSocketEndPoint</c>, whose file must not exist.</param>
    /// <param name="codecs">The supported codecs.</param>
    /// <param name="services">The services to serve.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <returns>The server, listening.</returns>
    /// <exception cref="RpcException">A codec does not support a type of a contract: <see cref="RpcStatus.Unsupported"/>.</exception>
    /// <exception cref="SocketException">The address is in use or invalid.</exception>
    public static SocketServer Start(
        EndPoint endPoint, IReadOnlyList<RpcCodec> codecs, IReadOnlyList<RpcService> services, SocketServerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(codecs);
        ArgumentNullException.ThrowIfNull(services);
        if (options is not null)
            _ = Engines.UsesEpoll(options.Engine);
        var host = new ConnectionServer(codecs, services, options ?? new SocketServerOptions());
        var isLocal = endPoint is UnixDomainSocketEndPoint;
        var listener = new Socket(endPoint.AddressFamily, SocketType.Stream, isLocal ? ProtocolType.Unspecified : ProtocolType.Tcp);
        try
        {
            listener.Bind(endPoint);
            listener.Listen();
        }
        catch (SocketException failure)
        {
            listener.Dispose();
            throw new SocketException((int)failure.SocketErrorCode, Words(endPoint, failure));
        }
        catch
        {
            listener.Dispose();
            throw;
        }

        var server = new SocketServer(listener, host);
        server._accepting = server.AcceptAsync();
        return server;
    }

    /// <summary>Starts a server for one service and one codec.</summary>
    /// <param name="endPoint">The endpoint to listen on.</param>
    /// <param name="codec">The codec.</param>
    /// <param name="service">The service to serve.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <returns>The server, listening.</returns>
    /// <inheritdoc cref="Start(EndPoint, IReadOnlyList{RpcCodec}, IReadOnlyList{RpcService}, SocketServerOptions?)" path="/exception"/>
    public static SocketServer Start(EndPoint endPoint, RpcCodec codec, RpcService service, SocketServerOptions? options = null)
        => Start(endPoint, [codec], [service], options);

    /// <summary>Stops listening, tells clients to start no further calls, waits for pending calls, closes the connections and waits until
    /// services that are provided for each connection are disposed.</summary>
    /// <returns>A task that completes when everything is closed.</returns>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) != 0)
            return;
        await _closing.CancelAsync().ConfigureAwait(false);
        _listener.Dispose();
        await _accepting.ConfigureAwait(false);
        await _host.DisposeAsync().ConfigureAwait(false);
        if (EndPoint is UnixDomainSocketEndPoint local && local.ToString() is { Length: > 0 } path && path[0] != '@')
            File.Delete(path);
        _closing.Dispose();
    }

    // The subject of the client's certificate, which the TLS options have accepted.
    private static ClaimsPrincipal? UserOf(X509Certificate? certificate)
        => certificate is null ? null : new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, certificate.Subject)], "certificate"));

    private static string Words(EndPoint endPoint, SocketException failure) => failure.SocketErrorCode switch
    {
        SocketError.AddressAlreadyInUse when endPoint is UnixDomainSocketEndPoint => $"{endPoint} already exists. Delete the file if no server uses it any more, or choose another path.",
        SocketError.AddressAlreadyInUse => $"{endPoint} is already in use. Stop the program that listens there, or choose another port (0 picks a free one).",
        SocketError.AccessDenied => $"This account is not permitted to listen on {endPoint}. Choose another one, for example a port above 1023.",
        SocketError.AddressNotAvailable => $"{endPoint} is not an address of this machine. Use one of its addresses, or {IPAddress.Any} for all of them.",
        _ => $"Cannot listen on {endPoint}: {failure.Message}",
    };

    private async Task AcceptAsync()
    {
        while (!_closing.IsCancellationRequested)
        {
            Socket? socket = null;
            try
            {
                socket = await _listener.AcceptAsync(_closing.Token).ConfigureAwait(false);
                Accept(socket);
            }
            catch (Exception end) when (end is OperationCanceledException or ObjectDisposedException)
            {
                return;
            }
            catch (Exception failure)
            {
                // A connection was reset before it was accepted, or no descriptor is available: the listener itself continues.
                socket?.Dispose();
                Log.AcceptFailed(Options.Logger, failure);
                await Task.Delay(s_drainCheck, Options.TimeProvider, CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    private void Accept(Socket socket)
    {
        if (!_host.HasRoom(SocketFrameTransport.PeerName(socket.RemoteEndPoint)))
            socket.Dispose();
        else if (Options.Tls is { } tls)
            _ = SecureAsync(socket, tls);
        else
            _host.Accept(Engines.UsesEpoll(Options.Engine) ? new EpollFrameTransport(socket) : new SocketFrameTransport(socket));
    }

    private async Task SecureAsync(Socket socket, SslServerAuthenticationOptions tls)
    {
        socket.NoDelay = true;
        var peer = SocketFrameTransport.PeerName(socket.RemoteEndPoint);
        var stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
        try
        {
            using var limit = new DeadlineTokenSource(Options.TimeProvider, Options.HelloTimeout, _closing.Token);
            await stream.AuthenticateAsServerAsync(tls, limit.Token).ConfigureAwait(false);
            _host.Accept(new StreamFrameTransport(stream, peer) { User = UserOf(stream.RemoteCertificate) });
        }
        catch (Exception refused)
        {
            Log.CutOff(Options.Logger, peer, refused.Message);
            await stream.DisposeAsync().ConfigureAwait(false);
        }
    }
}
