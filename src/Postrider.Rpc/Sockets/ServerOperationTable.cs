namespace Postrider.Rpc.Sockets;

/// <summary>Contracts in one codec.</summary>
internal sealed class ServerOperationTable
{
    private readonly Dictionary<string, IServerOperation> _operations = new(StringComparer.Ordinal);

    private ServerOperationTable(RpcCodec codec) => Codec = codec;

    public RpcCodec Codec { get; }

    /// <summary>The operations by their paths.</summary>
    public IReadOnlyDictionary<string, IServerOperation> Operations => _operations;

    public static ServerOperationTable Create(RpcCodec codec, IReadOnlyList<RpcService> services, SocketServerOptions options)
    {
        var table = new ServerOperationTable(codec);
        var binder = new Binder(codec, options.EnableDetailedErrors);
        foreach (var endpoint in services.SelectMany(s => s.Operations))
        {
            if (!table._operations.TryAdd(endpoint.Operation.Path, endpoint.Accept(binder)))
                throw new ArgumentException($"{endpoint.Operation.Path} is registered twice.", nameof(services));
        }

        return table;
    }

    private sealed class Binder(RpcCodec codec, bool enableDetailedErrors) : IEndpointVisitor<IServerOperation>
    {
        public IServerOperation Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
            => new ServerOperation<TRequest, TItem, TResponse>(endpoint, codec, enableDetailedErrors);
    }
}
