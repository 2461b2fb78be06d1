using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.UnitTests.Transports;

/// <summary>How the log names a message that failed.</summary>
public sealed class DeliveryLogTests
{
    [Theory]
    [InlineData(7, "m-1", "Message 7 from rabbit at 'orders'")]
    [InlineData(0, "m-1", "Message m-1 from rabbit at 'orders'")]
    [InlineData(0, null, "Message without an id from rabbit at 'orders'")]
    public async Task Message_is_named_by_its_place_or_by_its_id(ulong sequence, string? id, string expected)
    {
        using var log = new LogRecorder(LogLevel.Information);
        var binding = new AtLeastOnceBinding("orders") { TransportName = "rabbit" };
        var processor = new DeliveryProcessor(binding, static (_, _) => throw new InvalidOperationException("no paper"), deadLetters: null, log, TimeProvider.System, CancellationToken.None);
        var envelope = new Envelope { Destination = "orders", Delivery = new Kept { Count = 1, Sequence = sequence } };
        envelope.Headers[HeaderNames.MessageId] = id;

        await processor.HandleAsync(envelope);

        Assert.StartsWith($"{expected} failed and will be redelivered: attempt 1 of 5", Assert.Single(log.Lines), StringComparison.Ordinal);
    }

    private sealed class Kept : MessageDelivery
    {
        protected internal override ValueTask SettleAsync(Settlement settlement) => default;
    }
}
