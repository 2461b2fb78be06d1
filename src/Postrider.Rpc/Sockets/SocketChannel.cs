using System.Net;
using Postrider.Rpc.Sockets;

namespace Postrider.Rpc;

/// <summary>Calls a <see cref="SocketServer"/> over TCP or a Unix domain socket.</summary>
/// <remarks>It connects with the first call and reconnects when a connection is lost; pending calls fail with
/// <see cref="RpcStatus.Unavailable"/> then, and nothing is sent twice. Thread-safe.</remarks>
public sealed class SocketChannel : RpcChannel
{
    // The server has an array entry per connection for each operation's number.
    private const int MaxOperations = 4096;

    private readonly ConnectionPool _connections;
    private readonly RpcCodec _codec;
    private readonly SocketChannelOptions _options;
    private readonly Dictionary<string, int> _numbers = new(StringComparer.Ordinal);

    /// <summary>Creates a channel to a server.</summary>
    /// <param name="endPoint">The server's endpoint: an <see cref="IPEndPoint"/>, a <see cref="DnsEndPoint"/> or a
    /// <c>UnixDomainSocketEndPoint</c>.</param>
    /// <param name="codec">The codec of the messages; the server must support it.</param>
    /// <param name="options">The options; null for the defaults.</param>
    public SocketChannel(EndPoint endPoint, RpcCodec codec, SocketChannelOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(codec);
        _options = options ?? new SocketChannelOptions();
        SocketLimits.Check(_options.Limits);
        _codec = codec;
        _connections = new(new SocketFrameTransportFactory(endPoint, _options.Tls, _options.Engine), codec.ContentType, _options, ConnectionServer.ForChannel(codec, _options));
    }

    internal SocketChannel(IFrameTransportFactory transports, RpcCodec codec, SocketChannelOptions options)
    {
        SocketLimits.Check(options.Limits);
        (_codec, _options) = (codec, options);
        _connections = new(transports, codec.ContentType, options, ConnectionServer.ForChannel(codec, options));
    }

    /// <inheritdoc/>
    public override OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return new SocketInvoker<TRequest, TItem, TResponse>(_connections, operation, _codec, NumberOf(operation), _options);
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync()
    {
        _connections.Dispose();
        return default;
    }

    /// <summary>Connects before the first call, if all calls share one connection.</summary>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when the connection ends. Connect again to remain reachable for the server.</returns>
    /// <exception cref="RpcException">Connecting failed: <see cref="RpcStatus.Unavailable"/>.</exception>
    public async ValueTask<Task> ConnectAsync(CancellationToken ct = default)
    {
        if (_options.Pattern != DispatchPattern.Correlated)
            throw new RpcException(RpcStatus.Unsupported, "ConnectAsync is not supported with DispatchPattern.Blocking.");
        var connection = await _connections.LeaseAsync(_options.ConnectTimeout, ct).ConfigureAwait(false);
        return connection.Ended;
    }

    private int NumberOf(Operation operation)
    {
        lock (_numbers)
        {
            if (_numbers.TryGetValue(operation.Path, out var known))
                return known;
            if (_numbers.Count == MaxOperations)
                throw new RpcException(RpcStatus.Unsupported, $"A channel supports at most {MaxOperations} operations. Create another channel for {operation.Path}.");
            return _numbers[operation.Path] = _numbers.Count;
        }
    }
}
