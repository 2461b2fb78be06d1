using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Postrider.Envelopes;
using Postrider.Transports;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace Postrider.Transport.RabbitMq;

/// <summary>The messages of a dead-letter queue.</summary>
/// <remarks>While a list is read, other readers do not see the messages of the queue. The id of a dead letter is its message's, or its position in
/// the queue if it has none.</remarks>
internal sealed class RabbitMqDeadLetters(RabbitMqConnection connection, RabbitMqPublisher publisher, string queue, ConcurrentDictionary<string, long> given) : IDeadLetters
{
    public string Source => queue;

    public async IAsyncEnumerable<DeadLetterMessage> ListAsync(DeadLetterQuery query, [EnumeratorCancellation] CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(query);
        var channel = await OpenAsync(ct).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
        {
            var scan = new DeadLetterScan(channel, queue, given);
            try
            {
                await foreach (var letter in query.SelectAsync(scan.ReadAsync(ct), ct).ConfigureAwait(false))
                    yield return letter;
            }
            finally
            {
                // Also when the caller stops early.
                await scan.EndAsync().ConfigureAwait(false);
            }
        }
    }

    // Sent to the queue where it failed instead of to all queues of the exchange.
    public ValueTask<long> RedriveAsync(DeadLetterQuery query, CancellationToken ct = default)
        => DeadLetterRedrive.RunAsync(
            this,
            query,
            TimeProvider.System,
            letter => publisher.PublishAsync(new RabbitMqAddress("", letter.Headers[DeadLetterHeaders.Stream]!), RabbitMqHeaderMapping.ToAmqp(letter.ToMessage()), letter.Body, TimeSpan.Zero, ct),
            trySend => TakeAsync(query, async letter => letter.Headers[DeadLetterHeaders.Stream] is not null && await trySend(letter).ConfigureAwait(false), ct),
            ct);

    public ValueTask<long> PurgeAsync(DeadLetterQuery query, CancellationToken ct = default) => TakeAsync(query, static _ => new(true), ct);

    private async ValueTask<long> TakeAsync(DeadLetterQuery query, Func<DeadLetterMessage, ValueTask<bool>> take, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(query);
        var count = 0L;
        var channel = await OpenAsync(ct).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
        {
            var scan = new DeadLetterScan(channel, queue, given);
            try
            {
                await foreach (var letter in query.SelectAsync(scan.ReadAsync(ct), ct).ConfigureAwait(false))
                {
                    if (!await take(letter).ConfigureAwait(false))
                        continue;
                    await scan.RemoveAsync(letter).ConfigureAwait(false);
                    count++;
                }
            }
            finally
            {
                await scan.EndAsync().ConfigureAwait(false);
            }
        }

        return count;
    }

    private async ValueTask<IChannel> OpenAsync(CancellationToken ct)
    {
        var channel = await connection.OpenChannelAsync(null, ct).ConfigureAwait(false);
        try
        {
            await channel.QueueDeclarePassiveAsync(queue, ct).ConfigureAwait(false);
            return channel;
        }
        catch (OperationInterruptedException missing) when (missing.ShutdownReason?.ReplyCode == 404)
        {
            await channel.DisposeAsync().ConfigureAwait(false);
            throw new PostriderException(PostriderError.NoListener, $"There is no queue '{queue}' on transport '{RabbitMqTransport.TransportName}'.", missing);
        }
    }
}
