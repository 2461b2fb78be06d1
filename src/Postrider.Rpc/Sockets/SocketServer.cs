using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Sockets;

/// <summary>Serves contracts over TCP or a Unix domain socket: many calls at once on each connection.</summary>
/// <remarks>An operation runs on the thread pool; one that blocks holds nobody up. Thread-safe.</remarks>
public sealed class SocketServer : IAsyncDisposable
{
    private static readonly TimeSpan s_drainCheck = TimeSpan.FromMilliseconds(5);

    private readonly Socket _listener;
    private readonly CancellationTokenSource _closing = new();
    private readonly ConcurrentDictionary<ServerConnection, bool> _connections = new();
    private readonly List<(RpcCodec Codec, Dictionary<string, IServed> Operations)> _served;
    private Task _accepting = Task.CompletedTask;
    private int _isClosed;

    private SocketServer(Socket listener, List<(RpcCodec Codec, Dictionary<string, IServed> Operations)> served, SocketServerOptions options)
    {
        (_listener, _served, Options) = (listener, served, options);
        EndPoint = listener.LocalEndPoint!;
    }

    /// <summary>Where it listens, with the port that was free when 0 was asked for.</summary>
    public EndPoint EndPoint { get; }

    /// <summary>How many connections there are.</summary>
    public int Connections => _connections.Count;

    internal SocketServerOptions Options { get; }

    internal IEnumerable<string> ContentTypes => _served.Select(s => s.Codec.ContentType);

    /// <summary>Begins to serve.</summary>
    /// <param name="endPoint">Where to listen: an <see cref="IPEndPoint"/> (port 0 for a free one) or a <c>UnixDomainSocketEndPoint</c>, whose file must not be there.</param>
    /// <param name="codecs">The forms that callers may choose from.</param>
    /// <param name="services">What is served.</param>
    /// <param name="options">How; null for the defaults.</param>
    /// <returns>The server, listening.</returns>
    /// <exception cref="RpcException">A codec knows nothing of a type that a contract uses: <see cref="RpcStatus.Unsupported"/>.</exception>
    /// <exception cref="SocketException">The address is in use, or is none.</exception>
    public static SocketServer Start(
        EndPoint endPoint, IReadOnlyList<RpcCodec> codecs, IReadOnlyList<ServiceEndpoint> services, SocketServerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(codecs);
        ArgumentNullException.ThrowIfNull(services);
        options ??= new SocketServerOptions();
        SocketLimits.Check(options.Limits);
        var served = codecs.Select(codec => (codec, Table(codec, services, options))).ToList();
        var isLocal = endPoint is UnixDomainSocketEndPoint;
        var listener = new Socket(endPoint.AddressFamily, SocketType.Stream, isLocal ? ProtocolType.Unspecified : ProtocolType.Tcp);
        try
        {
            listener.Bind(endPoint);
            listener.Listen();
        }
        catch
        {
            listener.Dispose();
            throw;
        }

        var server = new SocketServer(listener, served, options);
        server._accepting = server.AcceptAsync();
        return server;
    }

    /// <summary>Begins to serve one contract in one form.</summary>
    /// <param name="endPoint">Where to listen.</param>
    /// <param name="codec">The form.</param>
    /// <param name="service">What is served.</param>
    /// <param name="options">How; null for the defaults.</param>
    /// <returns>The server, listening.</returns>
    /// <inheritdoc cref="Start(EndPoint, IReadOnlyList{RpcCodec}, IReadOnlyList{ServiceEndpoint}, SocketServerOptions?)" path="/exception"/>
    public static SocketServer Start(EndPoint endPoint, RpcCodec codec, ServiceEndpoint service, SocketServerOptions? options = null)
        => Start(endPoint, [codec], [service], options);

    /// <summary>Listens no more, asks callers to begin nothing, waits for what is under way and closes the connections.</summary>
    /// <returns>When everything is closed.</returns>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) != 0)
            return;
        await _closing.CancelAsync().ConfigureAwait(false);
        _listener.Dispose();
        await _accepting.ConfigureAwait(false);
        foreach (var connection in _connections.Keys)
            connection.SayGoodbye();
        var began = Options.TimeProvider.GetTimestamp();
        while (_connections.Keys.Any(c => !c.IsIdle) && Options.TimeProvider.GetElapsedTime(began) < Options.DrainTimeout)
            await Task.Delay(s_drainCheck, Options.TimeProvider, CancellationToken.None).ConfigureAwait(false);
        foreach (var connection in _connections.Keys)
            connection.Close(new RpcException(RpcStatus.Unavailable, "The server was closed."));
        if (EndPoint is UnixDomainSocketEndPoint local && local.ToString() is { Length: > 0 } path && path[0] != '@')
            File.Delete(path);
        _closing.Dispose();
    }

    internal IReadOnlyDictionary<string, IServed>? FindOperations(string contentType)
    {
        foreach (var (codec, operations) in _served)
        {
            if (codec.Accepts(contentType))
                return operations;
        }

        return null;
    }

    internal void Forget(ServerConnection connection) => _connections.TryRemove(connection, out _);

    private static Dictionary<string, IServed> Table(RpcCodec codec, IReadOnlyList<ServiceEndpoint> services, SocketServerOptions options)
    {
        var table = new Dictionary<string, IServed>(StringComparer.Ordinal);
        var binder = new Binder(codec, options.ShowsErrors);
        foreach (var endpoint in services.SelectMany(s => s.Operations))
        {
            if (!table.TryAdd(endpoint.Operation.Path, endpoint.Accept(binder)))
                throw new ArgumentException($"{endpoint.Operation.Path} is served twice.", nameof(services));
        }

        return table;
    }

    private async Task AcceptAsync()
    {
        while (!_closing.IsCancellationRequested)
        {
            try
            {
                var socket = await _listener.AcceptAsync(_closing.Token).ConfigureAwait(false);
                Welcome(socket);
            }
            catch (Exception end) when (end is OperationCanceledException or ObjectDisposedException)
            {
                return;
            }
            catch (Exception failure)
            {
                // One that was reset before it was accepted, or no descriptor left: the listener itself stands.
                Log.AcceptFailed(Options.Logger, failure);
                await Task.Delay(s_drainCheck, Options.TimeProvider, CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    private void Welcome(Socket socket)
    {
        if (_connections.Count >= Options.MaxConnections)
        {
            Log.TurnedAway(Options.Logger, socket.RemoteEndPoint?.ToString() ?? "", Options.MaxConnections);
            socket.Dispose();
            return;
        }

        var connection = new ServerConnection(this, socket);
        _connections[connection] = true;
        connection.Start();
    }

    private sealed class Binder(RpcCodec codec, bool showsErrors) : IEndpointVisitor<IServed>
    {
        public IServed Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
            => new Served<TRequest, TItem, TResponse>(endpoint, codec, showsErrors);
    }
}
