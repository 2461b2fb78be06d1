using Postrider.Client;
using Postrider.Transport.Nats;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;

namespace Postrider.OutboxWorker;

/// <summary>The transport of the messages, and the binding of their consumer.</summary>
internal sealed record Wire(ITransport Transport, AtLeastOnceBinding Binding)
{
    internal static async Task<Wire> OpenAsync(string broker)
        => broker.StartsWith("amqp:", StringComparison.Ordinal)
            ? new(new RabbitMqTransport(new RabbitMqOptions { Server = new Uri(broker) }), new RabbitMqBinding("work"))
            : new(new NatsStreamTransport(await NatsClient.ConnectAsync(new ClientOptions { Servers = [broker] })), new DurableBinding("work") { Consumer = "worker", AckWait = TimeSpan.FromSeconds(1) });
}
