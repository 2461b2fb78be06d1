using System.Runtime.CompilerServices;
using Postrider.Envelopes;
using RabbitMQ.Client;

namespace Postrider.Transport.RabbitMq;

/// <summary>The messages of a dead-letter queue.</summary>
/// <remarks>Thread-safe. While a list is read, the messages that it has shown are not seen by others.</remarks>
public sealed class RabbitMqDeadLetters
{
    private readonly RabbitMqConnection _connection;
    private readonly RabbitMqPublisher _publisher;
    private readonly string _queue;

    internal RabbitMqDeadLetters(RabbitMqConnection connection, RabbitMqPublisher publisher, string queue)
        => (_connection, _publisher, _queue) = (connection, publisher, queue);

    /// <summary>Lists dead letters, the oldest first. They stay in the queue.</summary>
    /// <param name="max">The largest number; at least 1.</param>
    /// <param name="ct">Ends the list.</param>
    /// <returns>The messages with their headers, <see cref="DeadLetterHeaders"/> among them.</returns>
    public async IAsyncEnumerable<Envelope> ListAsync(int max = 100, [EnumeratorCancellation] CancellationToken ct = default)
    {
        // Closing the channel puts everything back.
        var channel = await _connection.OpenChannelAsync(null, ct).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
        {
            for (var i = 0; i < max && await channel.BasicGetAsync(_queue, autoAck: false, ct).ConfigureAwait(false) is { } message; i++)
                yield return new Envelope { Destination = _queue, Headers = RabbitMqHeaderMapping.FromAmqp(message.BasicProperties), Body = message.Body.ToArray() };
        }
    }

    /// <summary>Sends dead letters back to the queues where they failed, as new messages with all their attempts.</summary>
    /// <param name="filter">Chooses them; null for all.</param>
    /// <param name="max">The largest number that is looked at; at least 1.</param>
    /// <param name="ct">Ends the work; each message is either here or there.</param>
    /// <returns>The number that was sent back. A message without <see cref="DeadLetterHeaders.Stream"/>, which the server itself gave
    /// up, stays.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoListener"/>: the queue of a message no longer exists; that one and
    /// the rest stay.</exception>
    public async ValueTask<int> RedriveAsync(Func<Envelope, bool>? filter = null, int max = int.MaxValue, CancellationToken ct = default)
    {
        var redriven = 0;
        var channel = await _connection.OpenChannelAsync(null, ct).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
        {
            // Those that fail again while this runs come behind: they are not sent round in a circle.
            var present = await channel.MessageCountAsync(_queue, ct).ConfigureAwait(false);
            for (var i = 0L; i < Math.Min(max, present) && await channel.BasicGetAsync(_queue, autoAck: false, ct).ConfigureAwait(false) is { } message; i++)
            {
                var headers = RabbitMqHeaderMapping.FromAmqp(message.BasicProperties);
                var body = message.Body.ToArray();
                if (headers[DeadLetterHeaders.Stream] is not { } origin || filter?.Invoke(new Envelope { Destination = _queue, Headers = headers, Body = body }) == false)
                    continue;
                await _publisher.PublishAsync(new RabbitMqAddress("", origin), RabbitMqHeaderMapping.ToAmqp(Fresh(headers)), body, TimeSpan.Zero, ct).ConfigureAwait(false);
                await channel.BasicAckAsync(message.DeliveryTag, multiple: false, CancellationToken.None).ConfigureAwait(false);
                redriven++;
            }
        }

        return redriven;
    }

    private static MessageProperties Fresh(Headers headers)
    {
        var fresh = new Headers();
        foreach (var (name, value) in headers)
        {
            if (!name.StartsWith("Postrider-Dead-Letter-", StringComparison.OrdinalIgnoreCase) && name is not (HeaderNames.Error or HeaderNames.ErrorCode))
                fresh.Add(name, value);
        }

        return MessageProperties.From(fresh);
    }
}
