using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Client;
using Postrider.Envelopes;
using Postrider.Resilience;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.Samples.OrderPipeline;

/// <summary>Packs orders, stores their states and records the lost ones. Any number of workers can share the work, on any machines.</summary>
public sealed class Worker : IAsyncDisposable
{
    // A killed worker no longer reports progress; after this time its orders are delivered to another one.
    private static readonly TimeSpan AckWait = TimeSpan.FromSeconds(3);

    private static readonly RetryPolicy Packing = DurableBinding.DefaultRetry with
    {
        MaxAttempts = 8,
        BaseDelay = TimeSpan.FromMilliseconds(200),
        MaxDelay = TimeSpan.FromSeconds(5),
    };

    // The projection has no dead letters: whatever fails, the state must be correct in the end.
    private static readonly RetryPolicy Projecting = Packing with { MaxAttempts = int.MaxValue };

    private readonly ServiceProvider _services;
    private readonly MessagePump _pump;

    private Worker(ServiceProvider services, MessagePump pump) => (_services, _pump) = (services, pump);

    /// <summary>Starts to work.</summary>
    /// <param name="client">The connection; disposed by its owner.</param>
    /// <param name="logging">Creates its loggers.</param>
    /// <param name="replicas">The number of servers of a cluster that store the streams.</param>
    /// <param name="work">The time that packing takes.</param>
    /// <param name="ct">Cancels the start.</param>
    public static async Task<Worker> StartAsync(NatsClient client, ILoggerFactory logging, int replicas = 1, TimeSpan work = default, CancellationToken ct = default)
    {
        var bucket = await Topology.EnsureAsync(client, replicas, ct);
        var transport = new NatsTransport(client);
        var serializers = new JsonSerializerProvider(OrderJson.Default);
        var services = new ServiceCollection()
            .AddSingleton(logging).AddSingleton(typeof(ILogger<>), typeof(Logger<>))
            .AddSingleton(new Warehouse(work)).AddSingleton(new OrderStates(bucket)).AddSingleton(new OrderEvents(transport, serializers))
            .AddPostrider()
            .BuildServiceProvider(validateScopes: true);
        var pump = new MessagePump(transport, serializers, services)
            .Command<PackOrder>(new DurableBinding(Topology.Orders) { Consumer = "packers", AckWait = AckWait, Retry = Packing, DeadLetter = Topology.DeadLetters, MaxConcurrency = 8 })
            .Notification<OrderChanged>(new DurableBinding(Topology.Events) { Consumer = "projector", AckWait = AckWait, Retry = Projecting, MaxConcurrency = 4 })
            .Notification<OrderLost>(new DurableBinding(Topology.DeadLetters) { Consumer = "losses", AckWait = AckWait, Retry = Projecting });
        await Topology.InsistAsync(
            async () =>
            {
                await pump.StartAsync(ct);
                return pump;
            },
            ct);
        return new Worker(services, pump);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _pump.DisposeAsync();
        await _services.DisposeAsync();
    }
}
