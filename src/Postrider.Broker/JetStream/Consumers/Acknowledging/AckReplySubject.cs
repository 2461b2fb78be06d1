// Hot path: AckRouter and Consumer -> this, per acknowledgement. Allocations: none.
namespace Postrider.Broker.JetStream.Consumers.Acknowledging;

/// <summary>The subject that acknowledges a delivery: <c>$JS.ACK.stream.consumer.deliveries.sequence.number.time.pending</c>.</summary>
/// <param name="streamSequence">The message's sequence.</param>
/// <param name="consumerSequence">The delivery's number.</param>
/// <param name="deliveries">1 for the first delivery.</param>
/// <remarks>The form with domain and account after <c>$JS.ACK</c> is parsed too. Source: NATS documentation, reply subjects of consumers.</remarks>
internal readonly struct AckReplySubject(ulong streamSequence, ulong consumerSequence, ulong deliveries)
{
    private const int Tokens = 9;
    private const int TokensWithDomain = 11;

    /// <summary>The message's sequence.</summary>
    public ulong StreamSequence { get; } = streamSequence;

    /// <summary>The delivery's number.</summary>
    public ulong ConsumerSequence { get; } = consumerSequence;

    /// <summary>1 for the first delivery.</summary>
    public ulong Deliveries { get; } = deliveries;

    /// <summary>Parses a subject.</summary>
    /// <param name="subject">A subject that begins with <c>$JS.ACK.</c>.</param>
    /// <param name="scope">Domain and hash of the account with the dot between them; empty in the form without them.</param>
    /// <param name="owner">Stream and consumer with the dot between them.</param>
    /// <param name="ack">The numbers.</param>
    public static bool TryParse(ReadOnlySpan<byte> subject, out ReadOnlySpan<byte> scope, out ReadOnlySpan<byte> owner, out AckReplySubject ack)
    {
        Span<int> starts = stackalloc int[TokensWithDomain + 1];
        var count = 1;
        starts[0] = 0;
        for (var at = 0; count <= TokensWithDomain; count++)
        {
            var dot = subject[at..].IndexOf((byte)'.');
            if (dot < 0) break;
            at += dot + 1;
            starts[count] = at;
        }
        scope = owner = default;
        ack = default;
        if (count != Tokens && count < TokensWithDomain) return false;
        var first = count == Tokens ? 2 : 4;
        if (first == 4) scope = subject[starts[2]..(starts[4] - 1)];
        owner = subject[starts[first]..(starts[first + 2] - 1)];
        var numbers = subject[starts[first + 2]..];
        if (!TryTake(ref numbers, out var deliveries) || !TryTake(ref numbers, out var sequence) || !TryTake(ref numbers, out var number)) return false;
        ack = new AckReplySubject(sequence, number, deliveries);
        return true;
    }

    /// <summary>Parses the part after the prefix of a consumer.</summary>
    /// <returns>False when it is anything but five numbers.</returns>
    public static bool TryParseNumbers(ReadOnlySpan<byte> numbers, out AckReplySubject ack)
    {
        ack = default;
        if (!TryTake(ref numbers, out var deliveries) || !TryTake(ref numbers, out var sequence) || !TryTake(ref numbers, out var number)) return false;
        var dot = numbers.IndexOf((byte)'.');
        if (dot <= 0 || numbers[(dot + 1)..].Contains((byte)'.')) return false;
        ack = new AckReplySubject(sequence, number, deliveries);
        return true;
    }

    private static bool TryTake(ref ReadOnlySpan<byte> rest, out ulong value)
    {
        var text = rest;
        ulong number = 0;
        var i = 0;
        for (; i < text.Length; i++)
        {
            var digit = (uint)(text[i] - '0');
            if (digit > 9) break;
            // 19 digits always fit; a twentieth may overflow.
            if (i >= 19 && (i > 19 || number > (ulong.MaxValue - digit) / 10)) break;
            number = (number * 10) + digit;
        }
        value = number;
        if (i == 0 || i == text.Length || text[i] != '.') return false;
        rest = text[(i + 1)..];
        return true;
    }
}
