using System.Text;
using System.Threading.Channels;
using Postrider.Envelopes;
using Postrider.Transport.RabbitMq;
using Postrider.TransportTests.Harness;
using RabbitMQ.Client;

namespace Postrider.TransportTests.RabbitMq;

/// <summary>Messages that no sender of ours would make, published by the client itself.</summary>
public sealed class RabbitMqForeignMessageTests(RabbitMqHarness harness) : IClassFixture<RabbitMqHarness>
{
    private readonly string _queue = TransportHarness.NewName();

    public static TheoryData<string, Action<BasicProperties>, bool> Messages => new()
    {
        { "tables 20 deep", static p => p.Headers = Table("a", Deep(20)), true },
        { "forged deaths as text", static p => p.Headers = Table("x-death", "many"), true },
        { "forged deaths as a list", static p => p.Headers = Table("x-death", new List<object?> { new Dictionary<string, object?>(StringComparer.Ordinal) { ["count"] = long.MaxValue } }), true },
        { "a time beyond the calendar", static p => p.Timestamp = new AmqpTimestamp(long.MaxValue), true },
        { "a time before all time", static p => p.Timestamp = new AmqpTimestamp(long.MinValue), true },
        { "the highest priority", static p => p.Priority = 255, true },
        { "a content type of a semicolon", static p => p.ContentType = ";", true },
        { "an encoding that nothing has undone", static p => p.ContentEncoding = "gzip", true },
        { "not persistent", static p => p.DeliveryMode = DeliveryModes.Transient, true },
        { "an empty id", static p => p.MessageId = "", true },
        { "ids of 255 bytes", static p => p.MessageId = p.CorrelationId = p.Type = new string('i', 255), true },
        { "a reply address", static p => p.ReplyTo = "amq.rabbitmq.reply-to.forged", true },
        { "attempts as text", static p => p.Headers = Table("Postrider-Attempts", "many"), true },
        { "negative attempts", static p => p.Headers = Table("Postrider-Attempts", -5L), true },
        { "all attempts", static p => p.Headers = Table("Postrider-Attempts", long.MaxValue), false },
        { "half a delivery", static p => p.Headers = Table("x-delivery-count", 2.5), true },
        { "more deliveries than a number has", static p => p.Headers = Table("x-delivery-count", 1e300), true },
        { "a text that is not UTF-8", static p => p.Headers = Table("a", new byte[] { 0xFF, 0xFE }), true },
        { "a value of nothing", static p => p.Headers = Table("a", null), true },
        { "a list in a list", static p => p.Headers = Table("a", new List<object?> { new List<object?> { "b" }, 1 }), true },
        { "a colon in a name", static p => p.Headers = Table("a:b", "1"), true },
        { "a line break in a name", static p => p.Headers = Table("a\r\nb", "1"), true },
        { "an empty name", static p => p.Headers = Table("", "1"), true },
        { "a line break in a value", static p => p.Headers = Table("a", "1\r\nb: 2"), true },
        { "a thousand headers", static p => p.Headers = Enumerable.Range(0, 1000).ToDictionary(static i => $"h{i}", static i => (object?)i), true },
        { "further queues", static p => p.Headers = Table("CC", new List<object?> { "elsewhere" }), true },
        { "hidden further queues", static p => p.Headers = Table("BCC", new List<object?> { "elsewhere" }), true },
        { "an expiry that is no time", static p => p.Headers = Table(HeaderNames.ExpiresAt, 7), true },
    };

    private CancellationToken Ct { get; } = new CancellationTokenSource(TimeSpan.FromSeconds(45)).Token;

    [Theory]
    [MemberData(nameof(Messages))]
    public async Task Message_of_another_sender_is_handled_or_a_dead_letter_and_others_go_on(string name, Action<BasicProperties> shape, bool isHandled)
    {
        var arrived = Channel.CreateUnbounded<string>();
        var binding = new RabbitMqBinding(_queue) { DeadLetter = $"{_queue}-dead", MaxConcurrency = 1, Retry = TransportHarness.Quick };
        await using var listener = await harness.RabbitMq.ListenAsync(
            binding,
            (envelope, _) =>
            {
                arrived.Writer.TryWrite(Encoding.UTF8.GetString(envelope.Body.Span));
                return default;
            },
            Ct);
        var properties = new BasicProperties();
        shape(properties);

        await using var channel = await harness.OpenChannelAsync();
        await channel.BasicPublishAsync("", _queue, mandatory: true, properties, Encoding.UTF8.GetBytes(name), Ct);
        await channel.BasicPublishAsync("", _queue, mandatory: true, new BasicProperties(), ReadOnlyMemory<byte>.Empty, Ct);

        if (isHandled)
            Assert.Equal(name, await arrived.Reader.ReadAsync(Ct));
        // The next one has no byte and no property.
        Assert.Equal("", await arrived.Reader.ReadAsync(Ct));
        await Eventually.HoldsAsync(async () => await channel.MessageCountAsync($"{_queue}-dead", Ct) == (isHandled ? 0u : 1u));
    }

    [Theory]
    [MemberData(nameof(Messages))]
    public async Task Message_of_another_sender_that_fails_comes_again_and_becomes_a_dead_letter(string name, Action<BasicProperties> shape, bool isHandled)
    {
        var attempts = 0;
        var binding = new RabbitMqBinding(_queue) { DeadLetter = $"{_queue}-dead", MaxConcurrency = 1, Retry = TransportHarness.Quick };
        await using var listener = await harness.RabbitMq.ListenAsync(
            binding,
            (_, _) =>
            {
                Interlocked.Increment(ref attempts);
                throw new InvalidOperationException("no");
            },
            Ct);
        await using var channel = await harness.OpenChannelAsync();
        await channel.QueueDeclareAsync("elsewhere", durable: false, exclusive: false, autoDelete: true, cancellationToken: Ct);
        var before = await channel.MessageCountAsync("elsewhere", Ct);
        var properties = new BasicProperties();
        shape(properties);

        await channel.BasicPublishAsync("", _queue, mandatory: true, properties, Encoding.UTF8.GetBytes(name), Ct);
        await Eventually.HoldsAsync(async () => await channel.MessageCountAsync($"{_queue}-dead", Ct) == 1);

        Assert.Equal(isHandled ? TransportHarness.Quick.MaxAttempts : 0, attempts);
        // Only its sender may have sent it to other queues.
        Assert.InRange(await channel.MessageCountAsync("elsewhere", Ct) - before, 0u, 1u);
    }

    private static Dictionary<string, object?> Table(string name, object? value) => new(StringComparer.Ordinal) { [name] = value };

    private static Dictionary<string, object?> Deep(int levels)
    {
        var table = Table("end", "x");
        for (var i = 0; i < levels; i++)
            table = Table("inner", table);
        return table;
    }
}
