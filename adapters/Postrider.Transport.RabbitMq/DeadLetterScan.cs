using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using Postrider.Envelopes;
using Postrider.Transports;
using RabbitMQ.Client;

namespace Postrider.Transport.RabbitMq;

/// <summary>Takes the messages of a queue without acknowledging them, and returns those that are kept.</summary>
/// <remarks>AMQP has no other way to read a queue. A quorum queue stores returned messages again, which takes a moment and does not keep the order:
/// a scan waits for the messages that the previous one returned, and sorts by id.</remarks>
internal sealed class DeadLetterScan(IChannel channel, string queue, ConcurrentDictionary<string, long> given)
{
    // Received messages are kept in memory, here and on the server.
    private const int MaxMessages = 10_000;
    private const long MaxBytes = 64 * 1024 * 1024;

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1);

    private readonly List<(DeadLetterMessage Letter, ulong Tag)> _taken = [];

    /// <summary>Reads the messages that are there, by their ids; at most 10,000 or 64 MiB.</summary>
    internal async IAsyncEnumerable<DeadLetterMessage> ReadAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        var bytes = 0L;
        // The queue's own count may be outdated; that of the first response is not. A message that fails again during the scan is not read.
        long present = 1, expected = given.GetValueOrDefault(queue);
        var began = Stopwatch.GetTimestamp();
        while (_taken.Count < Math.Min(MaxMessages, Math.Max(present, expected)) && bytes < MaxBytes)
        {
            if (await channel.BasicGetAsync(queue, autoAck: false, ct).ConfigureAwait(false) is { } message)
            {
                present = _taken.Count == 0 ? 1 + message.MessageCount : present;
                bytes += message.Body.Length;
                _taken.Add((Letter(message), message.DeliveryTag));
            }
            else if (_taken.Count >= expected || Stopwatch.GetElapsedTime(began) > s_patience)
            {
                // Other readers may have taken them meanwhile.
                break;
            }
            else
            {
                await Task.Delay(s_pause, ct).ConfigureAwait(false);
            }
        }

        foreach (var (letter, _) in _taken.OrderBy(static taken => taken.Letter.Id, StringComparer.Ordinal).ToArray())
            yield return letter;
    }

    /// <summary>Removes a message that was read.</summary>
    internal async ValueTask RemoveAsync(DeadLetterMessage letter)
    {
        var at = _taken.FindIndex(taken => ReferenceEquals(taken.Letter, letter));
        await channel.BasicAckAsync(_taken[at].Tag, multiple: false, CancellationToken.None).ConfigureAwait(false);
        _taken.RemoveAt(at);
    }

    /// <summary>Returns kept messages. Closing the channel would do so too, but the server may count that as a delivery, and RabbitMQ 4 drops a
    /// message after 20 of them.</summary>
    internal async ValueTask EndAsync()
    {
        given[queue] = _taken.Count;
        if (_taken.Count > 0 && channel.IsOpen)
            await channel.BasicNackAsync(_taken.Max(static taken => taken.Tag), multiple: true, requeue: true, CancellationToken.None).ConfigureAwait(false);
    }

    private DeadLetterMessage Letter(BasicGetResult message)
    {
        var headers = RabbitMqHeaderMapping.FromAmqp(message.BasicProperties);
        return new DeadLetterMessage
        {
            Id = headers[HeaderNames.MessageId] ?? string.Create(CultureInfo.InvariantCulture, $"#{_taken.Count:d6}"),
            Source = queue,
            Headers = headers,
            Body = message.Body.ToArray(),
        };
    }
}
