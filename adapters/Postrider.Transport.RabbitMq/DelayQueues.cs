using System.Collections.Concurrent;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using RabbitMQ.Client;

namespace Postrider.Transport.RabbitMq;

/// <summary>Queues in which messages wait: the server moves a message to its destination when its time to live has passed.</summary>
/// <remarks>
/// One queue for each destination and delay, so that no message waits for one with a longer delay. Delays are rounded to a geometric
/// series, twelve steps per factor of ten, within 10 % of the requested delay from 100 ms on; an unused queue deletes itself. The plugin for
/// delayed messages is not needed. Thread-safe.
/// </remarks>
internal sealed class DelayQueues(RabbitMqConnection connection, TimeProvider time)
{
    private const double StepsPerDecade = 12;
    private const int MinMilliseconds = 10;

    // A time to live has 32 bits.
    internal static readonly TimeSpan Max = TimeSpan.FromDays(20);

    private readonly ConcurrentDictionary<(RabbitMqAddress, long), DateTimeOffset> _declared = new();

    /// <summary>The delay that a message really has.</summary>
    internal static long Round(TimeSpan delay)
    {
        var step = Math.Round(StepsPerDecade * Math.Log10(Math.Max(MinMilliseconds, delay.TotalMilliseconds)));
        return (long)Math.Round(Math.Pow(10, step / StepsPerDecade));
    }

    /// <summary>The name of the queue: that of the destination is in it, or its hash where it would be too long.</summary>
    internal static string Name(long milliseconds, RabbitMqAddress destination)
    {
        var text = RabbitMqPublisher.Text(destination);
        var name = string.Create(CultureInfo.InvariantCulture, $"postrider.delay.{milliseconds}.{text}");
        return Encoding.UTF8.GetByteCount(name) <= RabbitMqAddress.MaxNameBytes
            ? name
            : string.Create(CultureInfo.InvariantCulture, $"postrider.delay.{milliseconds}.{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)))}");
    }

    /// <summary>Declares the queue, unless it was declared a short time ago.</summary>
    /// <returns>The address of the queue.</returns>
    internal async ValueTask<RabbitMqAddress> OpenAsync(RabbitMqAddress destination, TimeSpan delay, CancellationToken ct)
    {
        if (delay > Max)
            throw new PostriderException(PostriderError.Configuration, $"Delay {delay} to '{RabbitMqPublisher.Text(destination)}' exceeds the maximum of {Max}.");
        var milliseconds = Round(delay);
        var name = Name(milliseconds, destination);
        var now = time.GetUtcNow();
        var life = connection.Options.Retry.DelayQueueLife;
        // A declaration keeps an empty or waiting queue alive: it is repeated often enough that no message is in the queue when it expires.
        if (_declared.TryGetValue((destination, milliseconds), out var last) && now - last < life / 2)
            return new("", name);
        var arguments = new Dictionary<string, object?>(StringComparer.Ordinal)
        {
            ["x-queue-type"] = "quorum",
            ["x-message-ttl"] = milliseconds,
            ["x-expires"] = milliseconds + (long)life.TotalMilliseconds,
            ["x-dead-letter-exchange"] = destination.Exchange,
            ["x-dead-letter-routing-key"] = destination.RoutingKey,
            // A message leaves the delay queue when its destination has confirmed it.
            ["x-dead-letter-strategy"] = "at-least-once",
            ["x-overflow"] = "reject-publish",
        };
        var channel = await connection.OpenChannelAsync(null, ct).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
            await channel.QueueDeclareAsync(name, durable: true, exclusive: false, autoDelete: false, arguments, cancellationToken: ct).ConfigureAwait(false);
        _declared[(destination, milliseconds)] = now;
        return new("", name);
    }

    /// <summary>Forces all queues to be declared again, because one was deleted.</summary>
    internal void Forget() => _declared.Clear();
}
