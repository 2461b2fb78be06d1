using System.Globalization;
using System.Text;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Sourcing;

/// <summary>The information in the reply subject of a delivery.</summary>
/// <param name="Sequence">The message's sequence in the origin.</param>
/// <param name="Number">The delivery's number: one more than that of the delivery before.</param>
/// <param name="Deliveries">1 for the first delivery.</param>
/// <param name="Timestamp">When the origin stored the message: nanoseconds since 1970.</param>
/// <param name="Pending">How many messages the consumer has still to deliver, including this one.</param>
internal readonly record struct SourceDelivery(ulong Sequence, ulong Number, ulong Deliveries, long Timestamp, ulong Pending)
{
    private const int Tokens = 9;
    private const int TokensWithDomain = 11;

    /// <summary>Parses a reply subject of a consumer.</summary>
    /// <param name="replyTo">Any reply subject.</param>
    /// <param name="consumer">The consumer's name: deliveries of other consumers are not parsed.</param>
    /// <param name="delivery">The information.</param>
    public static bool TryParse(ReadOnlySpan<byte> replyTo, string consumer, out SourceDelivery delivery)
    {
        delivery = default;
        Span<Range> tokens = stackalloc Range[TokensWithDomain + 1];
        var count = replyTo.StartsWith("$JS.ACK."u8) ? Split(replyTo, tokens) : 0;
        if (count != Tokens && count < TokensWithDomain) return false;
        var first = count == Tokens ? 3 : 5;
        if (Encoding.UTF8.GetString(replyTo[tokens[first]]) != consumer
            || !TryRead(replyTo[tokens[first + 1]], out var deliveries)
            || !TryRead(replyTo[tokens[first + 2]], out var sequence)
            || !TryRead(replyTo[tokens[first + 3]], out var number)
            || !TryRead(replyTo[tokens[first + 4]], out var timestamp)
            || !TryRead(replyTo[tokens[first + 5]], out var pending))
        {
            return false;
        }
        delivery = new SourceDelivery(sequence, number, deliveries, (long)Math.Min(timestamp, long.MaxValue), pending);
        return true;
    }

    /// <summary>Whether a message is sent by the consumer itself: a heartbeat or a flow control request.</summary>
    public static bool IsControl(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload) => payload.IsEmpty && headers.StartsWith("NATS/1.0 100 "u8);

    /// <summary>The number of the last delivery according to a heartbeat, or null when it is missing.</summary>
    public static ulong? LastDelivery(ReadOnlySpan<byte> headers)
        => MessageHeaders.TryFind(headers, "Nats-Last-Consumer"u8, out var value) && TryRead(value, out var number)
            ? number
            : null;

    // The rest after the last token that counts stays one token.
    private static int Split(ReadOnlySpan<byte> subject, Span<Range> tokens)
    {
        var (count, start) = (0, 0);
        while (count < tokens.Length)
        {
            var dot = subject[start..].IndexOf((byte)'.');
            tokens[count++] = dot < 0 ? start.. : start..(start + dot);
            if (dot < 0) break;
            start += dot + 1;
        }
        return count;
    }

    private static bool TryRead(ReadOnlySpan<byte> token, out ulong value) => ulong.TryParse(token, NumberStyles.None, CultureInfo.InvariantCulture, out value);
}
