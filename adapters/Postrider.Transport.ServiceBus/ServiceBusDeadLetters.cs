using System.Globalization;
using System.Runtime.CompilerServices;
using Amqp;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.ServiceBus;

/// <summary>The messages of a dead-letter queue, or of a queue that is used as one. The id of a dead letter is its sequence number.</summary>
/// <remarks>A list reads the messages without locking them. Redelivered or removed ones are received for that, which locks the
/// ones before them for a moment.</remarks>
internal sealed class ServiceBusDeadLetters(ServiceBusTransport transport, ServiceBusConnection connection, string source) : IDeadLetters
{
    private const int Page = 100;

    public string Source => source;

    public async IAsyncEnumerable<DeadLetterMessage> ListAsync(DeadLetterQuery query, [EnumeratorCancellation] CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(query);
        await foreach (var letter in query.SelectAsync(ReadAsync(ct), ct).ConfigureAwait(false))
            yield return letter;
    }

    // Every subscription of a topic gets it again: a message cannot be sent to only one of them.
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
        var chosen = new HashSet<long>();
        await foreach (var letter in ListAsync(query, ct).ConfigureAwait(false))
        {
            if (canTake(letter))
                chosen.Add(long.Parse(letter.Id, CultureInfo.InvariantCulture));
        }

        var count = 0L;
        var scan = new DeadLetterScan(connection, source);
        await using (scan.ConfigureAwait(false))
        {
            await foreach (var message in scan.ReadAsync(chosen, ct).ConfigureAwait(false))
            {
                if (!await take(Letter(message.Message)).ConfigureAwait(false))
                {
                    scan.Keep(message);
                    continue;
                }

                scan.Remove(message);
                count++;
            }
        }

        return count;
    }

    private async IAsyncEnumerable<DeadLetterMessage> ReadAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        var from = 0L;
        while (true)
        {
            var page = await PeekAsync(from, ct).ConfigureAwait(false);
            foreach (var message in page)
            {
                from = ServiceBusHeaderMapping.Sequence(message) + 1;
                yield return Letter(message);
            }

            if (page.Count == 0)
                yield break;
        }
    }

    private async Task<List<Message>> PeekAsync(long from, CancellationToken ct)
    {
        try
        {
            return await ServiceBusProbe.PeekAsync(await connection.OpenAsync(ct).ConfigureAwait(false), source, from, Page, ct).ConfigureAwait(false);
        }
        catch (AmqpException failure) when (!ServiceBusErrors.IsLost(failure))
        {
            throw ServiceBusErrors.Translate(failure, source, connection.Server);
        }
    }

    private DeadLetterMessage Letter(Message message)
    {
        // The expiry is omitted: otherwise the message would be expired when it is redelivered.
        var headers = ServiceBusHeaderMapping.FromAmqp(message, isDead: true);
        if (headers[DeadLetterHeaders.Reason] is null && ServiceBusHeaderMapping.ApplicationText(message, ServiceBusHeaderMapping.Reason) is { } reason)
            Describe(headers, message, reason);
        ServiceBusHeaderMapping.TryBody(message, out var body);
        return new DeadLetterMessage
        {
            Id = ServiceBusHeaderMapping.Sequence(message).ToString(CultureInfo.InvariantCulture),
            Source = source,
            Headers = headers,
            Body = body,
            StoredAt = ServiceBusHeaderMapping.Time(message, "x-opt-enqueued-time"),
        };
    }

    // A message that the service or another application moved.
    private void Describe(Headers headers, Message message, string reason)
    {
        headers[DeadLetterHeaders.Reason] = reason switch
        {
            "MaxDeliveryCountExceeded" => nameof(DeadLetterReason.Unanswered),
            "TTLExpiredException" => nameof(DeadLetterReason.Expired),
            _ => null,
        };
        headers[DeadLetterHeaders.Subject] ??= ServiceBusEntity.IsDeadLetterQueue(source) ? ServiceBusEntity.DestinationOf(source) : null;
        headers[HeaderNames.Error] ??= $"{reason}: {ServiceBusHeaderMapping.ApplicationText(message, ServiceBusHeaderMapping.Description)}".ReplaceLineEndings(" ");
    }
}
