using Postrider.Benchmarks.Routing;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Postrider.Routing;

/// <summary>RabbitMQ's client alone: confirmed publishes to a quorum queue, and a consumer that counts and acknowledges each message.</summary>
internal sealed class BareRabbit : IAsyncDisposable
{
    private const string Queue = "bench.bare";

    private static readonly BasicProperties s_properties = new() { Persistent = true };
    private readonly byte[] _body = new byte[64];
    private readonly IConnection _connection;
    private readonly IChannel _publisher;

    private BareRabbit(IConnection connection, IChannel publisher) => (_connection, _publisher) = (connection, publisher);

    public static async Task<BareRabbit> StartAsync(int port)
    {
        var connection = await new ConnectionFactory { HostName = "127.0.0.1", Port = port }.CreateConnectionAsync();
        var publisher = await connection.CreateChannelAsync(new CreateChannelOptions(
            publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: true, outstandingPublisherConfirmationsRateLimiter: null));
        await publisher.QueueDeclareAsync(Queue, durable: true, exclusive: false, autoDelete: false, new Dictionary<string, object?> { ["x-queue-type"] = "quorum" });
        var reader = await connection.CreateChannelAsync();
        await reader.BasicQosAsync(0, 32, false);
        var consumer = new AsyncEventingBasicConsumer(reader);
        consumer.ReceivedAsync += async (_, message) =>
        {
            Arrivals.Hit();
            await reader.BasicAckAsync(message.DeliveryTag, multiple: false);
        };
        await reader.BasicConsumeAsync(Queue, autoAck: false, consumer);
        return new(connection, publisher);
    }

    public ValueTask PublishAsync(int number) => _publisher.BasicPublishAsync("", Queue, false, s_properties, _body);

    public async ValueTask DisposeAsync() => await _connection.DisposeAsync();
}
