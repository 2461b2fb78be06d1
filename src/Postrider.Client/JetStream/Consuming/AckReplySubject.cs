// Hot path: ConsumerSubscription -> this -> JetStreamMessage. Allocations: none while one consumer delivers.
using System.Buffers.Text;
using System.Text;

namespace Postrider.Client.JetStream.Consuming;

/// <summary>The numbers in the reply subject of a delivered message, to which an acknowledgement is sent.</summary>
/// <remarks>No string is made per message; the subject is written again when it is needed. Source: NATS ADR-15.</remarks>
internal readonly struct AckReplySubject
{
    // Five numbers of at most 20 digits, with dots.
    private const int MaxNumbersBytes = 105;

    private readonly AckPrefix? _prefix;
    private readonly string? _suffix;
    private readonly long _time;

    private AckReplySubject(AckPrefix prefix, long count, ulong streamSequence, ulong consumerSequence, long time, ulong pending, string? suffix)
    {
        _prefix = prefix;
        Count = count;
        StreamSequence = streamSequence;
        ConsumerSequence = consumerSequence;
        _time = time;
        Pending = pending;
        _suffix = suffix;
    }

    public bool IsKnown => _prefix is not null;

    public long Count { get; }

    public ulong StreamSequence { get; }

    public ulong ConsumerSequence { get; }

    public ulong Pending { get; }

    public MessageMetadata Metadata => new(
        _prefix!.Stream, _prefix.Consumer, StreamSequence, ConsumerSequence, Count, Pending, DateTimeOffset.UnixEpoch.AddTicks(_time / TimeSpan.NanosecondsPerTick), _prefix.Domain);

    public int MaxBytes => _prefix!.Bytes.Length + MaxNumbersBytes + (_suffix is null ? 0 : _suffix.Length * 3);

    /// <summary>Parses a reply subject.</summary>
    /// <param name="replyTo">The subject in UTF-8.</param>
    /// <param name="known">The prefix of the previous message; set to this one's.</param>
    /// <returns>Unknown when it is not from a consumer.</returns>
    public static AckReplySubject Read(ReadOnlySpan<byte> replyTo, ref AckPrefix? known)
    {
        if (known is null || !replyTo.StartsWith(known.Bytes)) known = AckPrefix.Read(replyTo);
        if (known is null) return default;
        var rest = replyTo[known.Bytes.Length..];
        var count = Next(ref rest);
        var streamSequence = Next(ref rest);
        var consumerSequence = Next(ref rest);
        var time = Next(ref rest);
        var pending = Next(ref rest);
        return new AckReplySubject(known, (long)count, streamSequence, consumerSequence, (long)time, pending, rest.IsEmpty ? null : Encoding.UTF8.GetString(rest));
    }

    /// <summary>Writes the subject.</summary>
    /// <param name="target">At least <see cref="MaxBytes"/> bytes.</param>
    /// <returns>The part that was written.</returns>
    public ReadOnlySpan<byte> Write(Span<byte> target)
    {
        var position = _prefix!.Bytes.Length;
        _prefix.Bytes.CopyTo(target);
        Put(target, ref position, (ulong)Count, '.');
        Put(target, ref position, StreamSequence, '.');
        Put(target, ref position, ConsumerSequence, '.');
        Put(target, ref position, (ulong)_time, '.');
        Put(target, ref position, Pending, '\0');
        // The part after the numbers, if there is one, begins with the dot.
        if (_suffix is null) return target[..position];
        target[position++] = (byte)'.';
        position += Encoding.UTF8.GetBytes(_suffix, target[position..]);
        return target[..position];
    }

    private static ulong Next(ref ReadOnlySpan<byte> rest)
    {
        if (!Utf8Parser.TryParse(rest, out ulong number, out var used)) return 0;
        rest = used < rest.Length ? rest[(used + 1)..] : default;
        return number;
    }

    private static void Put(Span<byte> target, ref int position, ulong number, char end)
    {
        Utf8Formatter.TryFormat(number, target[position..], out var digits);
        position += digits;
        if (end != '\0') target[position++] = (byte)end;
    }
}
