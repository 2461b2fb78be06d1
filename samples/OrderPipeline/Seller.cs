using Microsoft.Extensions.DependencyInjection;
using Postrider.Client;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transport.Nats;

namespace Postrider.Samples.OrderPipeline;

/// <summary>Sends orders to be packed: a command that is routed to a stream. When it is sent, it is stored.</summary>
public sealed class Seller : IAsyncDisposable
{
    private readonly ServiceProvider _services;
    private readonly IDispatcher _dispatcher;

    private Seller(ServiceProvider services) => (_services, _dispatcher) = (services, services.GetRequiredService<IDispatcher>());

    /// <summary>Creates the streams and the dispatcher that sends to them.</summary>
    public static async Task<Seller> StartAsync(NatsClient client, int replicas = 1, CancellationToken ct = default)
    {
        await Topology.EnsureAsync(client, replicas, ct);
        var transport = new NatsTransport(client);
        var serializers = new JsonSerializerProvider(OrderJson.Default);
        return new Seller(new ServiceCollection()
            .AddPostrider(options => options.Route<PackOrder, Unit>(_ => transport.Streams, serializers, Topology.Orders))
            .BuildServiceProvider(validateScopes: true));
    }

    /// <summary>Sends an order, repeatedly until it is acknowledged: because of its id it is stored once.</summary>
    public Task SellAsync(PackOrder order, CancellationToken ct)
        => Topology.InsistAsync(
            async () =>
            {
                await _dispatcher.SendAsync((ICommand)order, ct);
                return order;
            },
            ct);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _services.DisposeAsync();
}
