using Postrider.Client;
using Postrider.Rpc.Sockets;

namespace Postrider.Rpc.Nats;

/// <summary>Calls services over NATS: sends a request to <c>service.operation</c>, which one of the instances handles.</summary>
/// <remarks>NATS cannot signal cancellation of a request: the caller's token ends the wait, but the operation runs until it completes or
/// the caller's deadline expires. A stream uses its own transport to one instance; cancelling it does cancel the operation.
/// Thread-safe.</remarks>
public sealed class NatsChannel : RpcChannel
{
    private readonly NatsClient _client;
    private readonly RpcCodec _codec;
    private readonly NatsChannelOptions _options;

    // One for each bound streaming operation.
    private readonly List<ConnectionPool> _connections = [];
    private readonly CancellationTokenSource _closing = new();

    /// <summary>Creates a channel over a client.</summary>
    /// <param name="client">A connected client; not owned.</param>
    /// <param name="codec">The codec of the messages; the service must support it.</param>
    /// <param name="options">The options; null for the defaults.</param>
    public NatsChannel(NatsClient client, RpcCodec codec, NatsChannelOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(codec);
        (_client, _codec, _options) = (client, codec, options ?? new NatsChannelOptions());
    }

    /// <inheritdoc/>
    public override OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return operation.Kind is OperationKind.Unary or OperationKind.OneWay
            ? new NatsInvoker<TRequest, TItem, TResponse>(_client, operation, _codec, _options, _closing.Token)
            : new SocketInvoker<TRequest, TItem, TResponse>(ConnectionsFor(operation), operation, _codec, 0, new SocketChannelOptions { TimeProvider = _options.TimeProvider });
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync()
    {
        _closing.Cancel();
        ConnectionPool[] open;
        lock (_connections)
            open = [.. _connections];
        foreach (var connections in open)
            connections.Dispose();
        return default;
    }

    private ConnectionPool ConnectionsFor(Operation operation)
    {
        var connections = new ConnectionPool(
            new NatsFrameTransportFactory(_client, $"{operation.Service}.{operation.Name}", _options), _codec.ContentType,
            new SocketChannelOptions
            {
                Pattern = DispatchPattern.Blocking,
                MaxConnections = int.MaxValue,
                KeepsIdle = false,
                ConnectTimeout = _options.Timeout,
                TimeProvider = _options.TimeProvider,
            });
        lock (_connections)
            _connections.Add(connections);
        if (_closing.IsCancellationRequested)
            connections.Dispose();
        return connections;
    }
}
