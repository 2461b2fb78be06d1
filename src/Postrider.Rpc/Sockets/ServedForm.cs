using Postrider.Rpc.Codecs;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Sockets;

/// <summary>Contracts in one codec.</summary>
internal sealed class ServedForm
{
    private readonly Dictionary<string, IServed> _operations = new(StringComparer.Ordinal);

    private ServedForm(RpcCodec codec) => Codec = codec;

    public RpcCodec Codec { get; }

    /// <summary>The operations by their paths.</summary>
    public IReadOnlyDictionary<string, IServed> Operations => _operations;

    public static ServedForm Of(RpcCodec codec, IReadOnlyList<ServiceEndpoint> services, SocketServerOptions options)
    {
        var form = new ServedForm(codec);
        var binder = new Binder(codec, options.ShowsErrors);
        foreach (var endpoint in services.SelectMany(s => s.Operations))
        {
            if (!form._operations.TryAdd(endpoint.Operation.Path, endpoint.Accept(binder)))
                throw new ArgumentException($"{endpoint.Operation.Path} is served twice.", nameof(services));
        }

        return form;
    }

    private sealed class Binder(RpcCodec codec, bool showsErrors) : IEndpointVisitor<IServed>
    {
        public IServed Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
            => new Served<TRequest, TItem, TResponse>(endpoint, codec, showsErrors);
    }
}
