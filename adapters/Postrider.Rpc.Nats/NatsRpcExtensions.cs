using System.Buffers;
using Postrider.Client;
using Postrider.Client.Services;

namespace Postrider.Rpc.Nats;

/// <summary>Serves contracts over NATS.</summary>
public static class NatsRpcExtensions
{
    /// <summary>Serves a contract as a NATS service: discovery lists it, and any NATS client can call it at
    /// <c>service.operation</c>.</summary>
    /// <param name="client">A connected client; not owned.</param>
    /// <param name="service">The service to serve.</param>
    /// <param name="codecs">The supported codecs, chosen by the header <c>Content-Type</c>; the first one applies to requests without
    /// it.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The running service. Disposing it stops the service after all received requests have been answered.</returns>
    /// <exception cref="RpcException">A codec does not support a type of the contract: <see cref="RpcStatus.Unsupported"/>.</exception>
    public static async Task<NatsService> ServeAsync(
        this NatsClient client, RpcService service, IReadOnlyList<RpcCodec> codecs, NatsServiceOptions? options = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(service);
        ArgumentNullException.ThrowIfNull(codecs);
        ArgumentOutOfRangeException.ThrowIfZero(codecs.Count, nameof(codecs));
        options ??= new NatsServiceOptions();
        var streams = new NatsStreams(client, codecs, service, options);
        var handlers = service.Operations.Select(o => (o.Operation.Name, Handler: o.Accept(new Binder(codecs, options, streams)))).ToList();
        var served = client.AddService(new ServiceOptions
        {
            Name = service.Name,
            Version = service.Version,
            Description = options.Description,
            QueueGroup = options.QueueGroup,
            Stopping = streams.DisposeAsync,
        });
        var group = served.AddGroup(service.Name);
        var endpoint = new EndpointOptions { Concurrency = options.MaxConcurrency };
        foreach (var (name, handler) in handlers)
            group.AddResponderEndpoint<IMemoryOwner<byte>>(name, (message, stop) => handler(message, stop), endpoint);
        await client.FlushAsync(ct).ConfigureAwait(false);
        return served;
    }

    private sealed class Binder(IReadOnlyList<RpcCodec> codecs, NatsServiceOptions options, NatsStreams streams) : IEndpointVisitor<NatsHandler>
    {
        public NatsHandler Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
            => endpoint.Contract.Kind is OperationKind.Unary or OperationKind.OneWay
                ? new NatsOperationHandler<TRequest, TItem, TResponse>(endpoint, codecs, options).HandleAsync
                : (message, _) => streams.HandleAsync(message);
    }
}
