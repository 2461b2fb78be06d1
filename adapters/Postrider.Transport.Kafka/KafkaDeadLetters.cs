using System.Globalization;
using System.Runtime.CompilerServices;
using Confluent.Kafka;
using Postrider.Transports;

namespace Postrider.Transport.Kafka;

/// <summary>The dead letters of a topic. The id of one is its partition and its offset.</summary>
/// <remarks>
/// A log cannot delete single messages: those redelivered or removed are before the committed offset of the group
/// <c>postrider-dead-letters</c>, and earlier ones that are kept are stored again at the end. They are deleted by the topic's retention.
/// </remarks>
internal sealed class KafkaDeadLetters(KafkaTransport transport, KafkaConnection connection, string topic) : IDeadLetters
{
    private const string Group = "postrider-dead-letters";

    private readonly KafkaSender _sender = new(transport, connection, topic);

    public string Source => topic;

    public async IAsyncEnumerable<DeadLetterMessage> ListAsync(DeadLetterQuery query, [EnumeratorCancellation] CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(query);
        var log = await OpenAsync(ct).ConfigureAwait(false);
        await using (log.ConfigureAwait(false))
        {
            await foreach (var letter in query.SelectAsync(ReadAsync(log, ct), ct).ConfigureAwait(false))
                yield return letter;
        }
    }

    // Every group of the topic gets it again: a topic does not record for which one it failed.
    public ValueTask<long> RedriveAsync(DeadLetterQuery query, CancellationToken ct = default)
        => DeadLetterRedrive.RunAsync(
            this,
            query,
            connection.Time,
            letter => transport.OpenSender(letter.Origin!).SendAsync(letter.ToMessage(), letter.Body, ct),
            trySend => TakeAsync(query, static letter => letter.Origin is not null, trySend, ct),
            ct);

    public ValueTask<long> PurgeAsync(DeadLetterQuery query, CancellationToken ct = default) => TakeAsync(query, static _ => true, static _ => new(true), ct);

    private async ValueTask<long> TakeAsync(DeadLetterQuery query, Func<DeadLetterMessage, bool> canTake, Func<DeadLetterMessage, ValueTask<bool>> take, CancellationToken ct)
    {
        var chosen = new HashSet<string>(StringComparer.Ordinal);
        await foreach (var letter in ListAsync(query, ct).ConfigureAwait(false))
        {
            if (canTake(letter))
                chosen.Add(letter.Id);
        }

        if (chosen.Count == 0)
            return 0;
        var count = 0L;
        var log = await OpenAsync(ct).ConfigureAwait(false);
        await using (log.ConfigureAwait(false))
        {
            for (var partition = 0; partition < log.Partitions && chosen.Count > 0; partition++)
            {
                while (chosen.Any(id => id.StartsWith(Prefix(partition), StringComparison.Ordinal)) && await log.ReadAsync(partition, ct).ConfigureAwait(false) is { } read)
                {
                    var letter = Letter(read);
                    if (chosen.Remove(letter.Id) && await take(letter).ConfigureAwait(false))
                    {
                        count++;
                    }
                    else
                    {
                        // It stays, but precedes one that is removed: append it before the offset is committed past it.
                        await _sender.SendAsync(new Message<byte[]?, byte[]> { Key = read.Message.Key, Headers = read.Message.Headers, Value = read.Message.Value ?? [] }, read.Partition, ct).ConfigureAwait(false);
                    }

                    log.Commit(read);
                }
            }
        }

        return count;
    }

    private static async IAsyncEnumerable<DeadLetterMessage> ReadAsync(KafkaLog log, [EnumeratorCancellation] CancellationToken ct = default)
    {
        for (var partition = 0; partition < log.Partitions; partition++)
        {
            while (await log.ReadAsync(partition, ct).ConfigureAwait(false) is { } read)
                yield return Letter(read);
        }
    }

    private static string Prefix(int partition) => string.Create(CultureInfo.InvariantCulture, $"{partition}/");

    private static DeadLetterMessage Letter(ConsumeResult<byte[]?, byte[]?> read) => new()
    {
        Id = string.Create(CultureInfo.InvariantCulture, $"{read.Partition.Value}/{read.Offset.Value}"),
        Source = read.Topic,
        Headers = KafkaHeaderMapping.FromKafka(read.Message.Headers, read.Message.Key),
        Body = read.Message.Value,
        StoredAt = read.Message.Timestamp.Type == TimestampType.NotAvailable ? null : new DateTimeOffset(read.Message.Timestamp.UtcDateTime),
    };

    private async ValueTask<KafkaLog> OpenAsync(CancellationToken ct)
    {
        var found = (await connection.AskAsync(topic, ct).ConfigureAwait(false)).Topics.Single();
        if (found.Error.IsError)
            throw new PostriderException(PostriderError.NoListener, $"There is no topic '{topic}' on transport '{transport.Name}' ({found.Error.Reason}).");
        return await KafkaLog.OpenAsync(connection, Group, topic, found.Partitions.Count, ct).ConfigureAwait(false);
    }
}
