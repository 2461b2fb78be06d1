using Postrider.Client;
using Postrider.Transport.Nats;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;

namespace Postrider.OutboxWorker;

/// <summary>What the messages travel over, and where a consumer finds them.</summary>
internal sealed record Wire(ITransport Transport, AtLeastOnceBinding Binding)
{
    internal static async Task<Wire> OpenAsync(string broker)
        => broker.StartsWith("amqp:", StringComparison.Ordinal)
            ? new(new RabbitMqTransport(new RabbitMqOptions { Server = new Uri(broker) }), new RabbitMqBinding("work"))
            : new(new NatsStreamTransport(await NatsClient.ConnectAsync(new ClientOptions { Servers = [broker] })), new DurableBinding("work") { Consumer = "worker", AckWait = TimeSpan.FromSeconds(1) });
}
