using System.Net;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Sockets;

/// <summary>Calls a <see cref="SocketServer"/> over TCP or a Unix domain socket.</summary>
/// <remarks>It connects with the first call and again when a connection broke; what was under way then fails with
/// <see cref="RpcStatus.Unavailable"/>, and nothing is sent twice. Thread-safe.</remarks>
public sealed class SocketChannel : RpcChannel
{
    // The server gives each operation of a connection a place by this number.
    private const int MostOperations = 4096;

    private readonly ConnectionPool _connections;
    private readonly RpcCodec _codec;
    private readonly SocketChannelOptions _options;
    private readonly Dictionary<string, int> _numbers = new(StringComparer.Ordinal);

    /// <summary>Reaches a server.</summary>
    /// <param name="endPoint">Where it listens: an <see cref="IPEndPoint"/>, a <see cref="DnsEndPoint"/> or a <c>UnixDomainSocketEndPoint</c>.</param>
    /// <param name="codec">The form of the messages; the server has to know it.</param>
    /// <param name="options">How to call; null for the defaults.</param>
    public SocketChannel(EndPoint endPoint, RpcCodec codec, SocketChannelOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(codec);
        _options = options ?? new SocketChannelOptions();
        SocketLimits.Check(_options.Limits);
        _codec = codec;
        _connections = new(endPoint, codec.ContentType, _options);
    }

    /// <inheritdoc/>
    public override Caller<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return new SocketCaller<TRequest, TItem, TResponse>(_connections, operation, _codec, NumberOf(operation), _options);
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync()
    {
        _connections.Dispose();
        return default;
    }

    private int NumberOf(Operation operation)
    {
        lock (_numbers)
        {
            if (_numbers.TryGetValue(operation.Path, out var known))
                return known;
            if (_numbers.Count == MostOperations)
                throw new RpcException(RpcStatus.Unsupported, $"A channel serves {MostOperations} operations: make another for {operation.Path}.");
            return _numbers[operation.Path] = _numbers.Count;
        }
    }
}
