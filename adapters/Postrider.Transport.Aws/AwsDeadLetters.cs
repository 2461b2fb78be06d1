using System.Runtime.CompilerServices;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Aws;

/// <summary>The messages of a dead-letter queue.</summary>
/// <remarks>While a list is read, the messages of the queue are not seen by others. The id of a dead letter is the one that SQS gave
/// it.</remarks>
internal sealed class AwsDeadLetters(AwsTransport transport, AwsConnection connection, string source, string queue) : IDeadLetters
{
    public string Source => source;

    public async IAsyncEnumerable<DeadLetterMessage> ListAsync(DeadLetterQuery query, [EnumeratorCancellation] CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(query);
        var scan = new DeadLetterScan(connection, queue, source);
        try
        {
            await foreach (var letter in query.SelectAsync(scan.ReadAsync(ct), ct).ConfigureAwait(false))
                yield return letter;
        }
        finally
        {
            await scan.EndAsync().ConfigureAwait(false);
        }
    }

    // Sent to the queue where it failed instead of to all queues of a topic.
    public ValueTask<long> RedriveAsync(DeadLetterQuery query, CancellationToken ct = default)
        => DeadLetterRedrive.RunAsync(
            this,
            query,
            connection.Time,
            letter => transport.OpenSender(letter.Headers[DeadLetterHeaders.Stream]!).SendAsync(letter.ToMessage(), letter.Body, ct),
            trySend => TakeAsync(query, async letter => letter.Headers[DeadLetterHeaders.Stream] is not null && await trySend(letter).ConfigureAwait(false), ct),
            ct);

    public ValueTask<long> PurgeAsync(DeadLetterQuery query, CancellationToken ct = default) => TakeAsync(query, static _ => new(true), ct);

    private async ValueTask<long> TakeAsync(DeadLetterQuery query, Func<DeadLetterMessage, ValueTask<bool>> take, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(query);
        var count = 0L;
        var scan = new DeadLetterScan(connection, queue, source);
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

        return count;
    }
}
