using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Broker;
using Postrider.Broker.Http;
using Postrider.Client;
using Postrider.Client.KeyValue;
using Postrider.Client.Services;
using Postrider.Dispatch;
using Postrider.Samples.OrderPipeline;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.Samples.OrderDesk;

/// <summary>A broker, the order desk and a worker of the pipeline, in one process.</summary>
public sealed class Desk : IAsyncDisposable
{
    private readonly NatsBroker _broker;
    private readonly HttpMonitoring _monitoring;
    private readonly NatsClient _client;
    private readonly Seller _seller;
    private readonly Worker _worker;
    private readonly ServiceProvider _services;
    private readonly MessagePump _pump;
    private readonly NatsService _handlers;

    private Desk(NatsBroker broker, HttpMonitoring monitoring, NatsClient client, Seller seller, Worker worker, ServiceProvider services, MessagePump pump, NatsService handlers)
        => (_broker, _monitoring, _client, _seller, _worker, _services, _pump, _handlers) = (broker, monitoring, client, seller, worker, services, pump, handlers);

    /// <summary>Where NATS clients connect.</summary>
    public string Url => _broker.Url!;

    /// <summary>Where monitoring is, or null.</summary>
    public string? MonitoringUrl => _monitoring.EndPoint is { } endPoint ? $"http://{endPoint}" : null;

    /// <summary>Starts the broker and the desk.</summary>
    /// <exception cref="BrokerException">A port is in use: the message names the port and what to do.</exception>
    public static async Task<Desk> StartAsync(BrokerOptions options, ILoggerFactory logging, CancellationToken ct = default)
    {
        var monitoring = new HttpMonitoring();
        var broker = await NatsBroker.StartAsync(options, [monitoring], ct);
        // The desk is connected to the broker without a socket; all other clients use the network.
        var client = await NatsClient.ConnectAsync(new ClientOptions { Name = "order-desk", Connector = broker.Connector, LoggerFactory = logging }, ct);
        // The worker could also run in a separate process: order-pipeline worker.
        var worker = await Worker.StartAsync(client, logging, ct: ct);
        var seller = await Seller.StartAsync(client, ct: ct);
        var numbers = await client.CreateKeyValueContext().CreateBucketAsync(new KeyValueConfig { Bucket = "desk" }, ct);
        var transport = new NatsTransport(client);
        var serializers = new JsonSerializerProvider(options: OrderDeskJson.Default.Options);

        var services = new ServiceCollection();
        services.AddSingleton(logging).AddSingleton(typeof(ILogger<>), typeof(Logger<>));
        services.AddSingleton(new Ledger(numbers)).AddSingleton(seller);
        // Subscribers of orders.placed are notified of each order.
        services.AddPostrider(options => options.RouteNotification<OrderPlaced>(_ => transport, serializers, "orders.placed"));
        var provider = services.BuildServiceProvider(validateScopes: true);

        var pump = new MessagePump(transport, serializers, provider)
            .Request<PlaceOrder, Receipt>(new TransportBinding("orders.place") { Group = "desk" })
            .Request<CountOrders, OrderCount>(new TransportBinding("orders.count") { Group = "desk" });
        await pump.StartAsync(ct);
        // For the dashboard's pages of services and routes.
        var handlers = client.AddHandlerService(provider.GetRequiredService<IHandlerMap>(), "order desk", routes: provider.GetRequiredService<IRouteTable>());
        return new Desk(broker, monitoring, client, seller, worker, provider, pump, handlers);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _handlers.DisposeAsync();
        await _pump.DisposeAsync();
        await _services.DisposeAsync();
        await _worker.DisposeAsync();
        await _seller.DisposeAsync();
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
    }
}
