using System.Globalization;
using System.Text;
using Postrider.Broker.JetStream.Consumers.Acknowledging;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Streams.Sourcing;

/// <summary>What the reply subject of a delivery says about it.</summary>
/// <param name="Sequence">The message's sequence in the origin.</param>
/// <param name="Number">The delivery's number: one more than that of the delivery before.</param>
/// <param name="Deliveries">1 for the first delivery.</param>
/// <param name="Timestamp">When the origin stored the message: nanoseconds since 1970.</param>
/// <param name="Pending">How many messages the consumer has still to deliver, with this one.</param>
internal readonly record struct SourceDelivery(ulong Sequence, ulong Number, ulong Deliveries, long Timestamp, ulong Pending)
{
    private const int Tokens = 9;
    private const int TokensWithDomain = 11;

    /// <summary>Reads a reply subject of a consumer.</summary>
    /// <param name="replyTo">Any reply subject.</param>
    /// <param name="consumer">The consumer's name: the delivery of another one is not read.</param>
    /// <param name="delivery">What it says.</param>
    public static bool TryParse(ReadOnlySpan<byte> replyTo, string consumer, out SourceDelivery delivery)
    {
        delivery = default;
        if (!replyTo.StartsWith("$JS.ACK."u8) || !AckReplySubject.TryParse(replyTo, out var owner, out var ack)) return false;
        var dot = owner.LastIndexOf((byte)'.');
        if (dot < 0 || Encoding.UTF8.GetString(owner[(dot + 1)..]) != consumer) return false;
        var dots = replyTo.Count((byte)'.') + 1;
        var skipped = dots == Tokens ? Tokens - 2 : TokensWithDomain - 2;
        var rest = replyTo;
        for (var i = 0; i < skipped; i++) rest = rest[(rest.IndexOf((byte)'.') + 1)..];
        if (!TryTake(ref rest, out var timestamp) || !TryTake(ref rest, out var pending)) return false;
        delivery = new SourceDelivery(ack.StreamSequence, ack.ConsumerSequence, ack.Deliveries, (long)Math.Min(timestamp, long.MaxValue), pending);
        return true;
    }

    /// <summary>Whether a message is the consumer's own: a heartbeat or a request of flow control.</summary>
    public static bool IsControl(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload) => payload.IsEmpty && headers.StartsWith("NATS/1.0 100 "u8);

    /// <summary>The number of the last delivery by a heartbeat, or null where it does not say.</summary>
    public static ulong? LastDelivery(ReadOnlySpan<byte> headers)
        => MessageHeaders.TryFind(headers, "Nats-Last-Consumer"u8, out var value) && ulong.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? number
            : null;

    private static bool TryTake(ref ReadOnlySpan<byte> rest, out ulong value)
    {
        var dot = rest.IndexOf((byte)'.');
        var token = dot < 0 ? rest : rest[..dot];
        rest = dot < 0 ? default : rest[(dot + 1)..];
        return ulong.TryParse(token, NumberStyles.None, CultureInfo.InvariantCulture, out value);
    }
}
