// Hot path: Consumer -> this, per delivery. Allocations: none.
using System.Buffers.Binary;
using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Text;

namespace Postrider.Broker.JetStream.Consumers.Acknowledging;

/// <summary>Writes the acknowledgement subjects of one consumer's deliveries.</summary>
/// <remarks>
/// The subject of the last delivery is kept: the next one differs in a few digits, because its sequences are higher by one, fewer
/// messages are pending by one, and it was often stored in the same second. Only numbers that differ by more are formatted again.
/// Not thread-safe: guarded by the stream's lock. The form is that of <see cref="AckReplySubject"/>.
/// </remarks>
internal sealed class AckReplyWriter
{
    // Five numbers of at most 20 digits and the four dots between them.
    private const int MaxNumbersBytes = (5 * 20) + 4;
    private const int NanosecondDigits = 9;
    private const ulong NanosecondsPerSecond = 1_000_000_000;

    private readonly byte[] _subject;
    private readonly int _prefix;
    private ulong _deliveries;
    private Number _streamSequence;
    private Number _consumerSequence;
    private Number _pending;
    private ulong _second;
    private int _timestampEnd;

    /// <summary>Creates a writer.</summary>
    /// <param name="stream">The stream's name.</param>
    /// <param name="consumer">The consumer's name.</param>
    public AckReplyWriter(string stream, string consumer)
    {
        _subject = [.. Encoding.UTF8.GetBytes($"$JS.ACK.{stream}.{consumer}."), .. new byte[MaxNumbersBytes]];
        _prefix = _subject.Length - MaxNumbersBytes;
    }

    /// <summary>The prefix of all acknowledgement subjects of the consumer, with the dot at its end.</summary>
    public ReadOnlySpan<byte> Prefix => _subject.AsSpan(0, _prefix);

    /// <summary>Writes the subject of a delivery.</summary>
    /// <param name="deliveries">1 for the first delivery; never 0.</param>
    /// <param name="streamSequence">The message's sequence.</param>
    /// <param name="consumerSequence">The delivery's number.</param>
    /// <param name="timestamp">When the message was stored, in nanoseconds since 1970.</param>
    /// <param name="pending">The number of messages that are not delivered yet.</param>
    /// <returns>The subject, valid until the next call.</returns>
    public ReadOnlySpan<byte> Write(ulong deliveries, ulong streamSequence, ulong consumerSequence, long timestamp, ulong pending)
    {
        var (second, nanoseconds) = Math.DivRem((ulong)timestamp, NanosecondsPerSecond);
        if (deliveries != _deliveries || second != _second
            || !_streamSequence.TryReplace(_subject, streamSequence)
            || !_consumerSequence.TryReplace(_subject, consumerSequence)
            || !_pending.TryReplace(_subject, pending))
        {
            WriteAll(deliveries, streamSequence, consumerSequence, (ulong)timestamp, pending);
            // A time of less than a second has no digits in front of its nanoseconds.
            _second = second == 0 ? ulong.MaxValue : second;
        }
        else
        {
            WriteNanoseconds(_subject.AsSpan(_timestampEnd - NanosecondDigits, NanosecondDigits), (uint)nanoseconds);
        }
        return _subject.AsSpan(0, _pending.End);
    }

    private void WriteAll(ulong deliveries, ulong streamSequence, ulong consumerSequence, ulong timestamp, ulong pending)
    {
        _deliveries = deliveries;
        var end = Append(_prefix, deliveries).End;
        _streamSequence = AppendNext(end, streamSequence);
        _consumerSequence = AppendNext(_streamSequence.End, consumerSequence);
        _timestampEnd = AppendNext(_consumerSequence.End, timestamp).End;
        _pending = AppendNext(_timestampEnd, pending);
    }

    private Number AppendNext(int at, ulong value)
    {
        _subject[at] = (byte)'.';
        return Append(at + 1, value);
    }

    private Number Append(int at, ulong value)
    {
        _ = Utf8Formatter.TryFormat(value, _subject.AsSpan(at), out var written);
        return new Number(value, at, at + written);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteNanoseconds(Span<byte> target, uint nanoseconds)
    {
        // One digit and four pairs. No quotient depends on more than two others.
        var (high, low) = (nanoseconds / 10_000, nanoseconds % 10_000);
        var (first, middle) = (high / 10_000, high % 10_000);
        WritePair(target[7..], low % 100);
        WritePair(target[5..], low / 100);
        WritePair(target[3..], middle % 100);
        WritePair(target[1..], middle / 100);
        target[0] = (byte)('0' + first);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WritePair(Span<byte> target, uint value)
    {
        var tens = value / 10;
        BinaryPrimitives.WriteUInt16LittleEndian(target, (ushort)('0' + tens + (('0' + value - (tens * 10)) << 8)));
    }

    // One of the subject's numbers and where it stands.
    private struct Number(ulong value, int start, int end)
    {
        private readonly int _start = start;
        private ulong _value = value;

        public int End { get; } = end;

        /// <summary>Writes another value in the place of this one.</summary>
        /// <returns>False when the other value has more or fewer digits: the subject has to be written as a whole.</returns>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public bool TryReplace(byte[] subject, ulong value)
        {
            var difference = value - _value;
            _value = value;
            return difference switch
            {
                0 => true,
                1 when value != 0 => TryIncrement(subject.AsSpan(_start, End - _start)),
                ulong.MaxValue => TryDecrement(subject.AsSpan(_start, End - _start)),
                _ => TryFormat(subject.AsSpan(_start, End - _start), value),
            };
        }

        private static bool TryIncrement(Span<byte> digits)
        {
            for (var at = digits.Length - 1; at >= 0; at--)
            {
                if (digits[at] != (byte)'9')
                {
                    digits[at]++;
                    return true;
                }
                digits[at] = (byte)'0';
            }
            return false;
        }

        private static bool TryDecrement(Span<byte> digits)
        {
            for (var at = digits.Length - 1; at >= 0; at--)
            {
                if (digits[at] != (byte)'0')
                {
                    digits[at]--;
                    return digits[0] != (byte)'0' || digits.Length == 1;
                }
                digits[at] = (byte)'9';
            }
            return false;
        }

        // A value with fewer digits fits too, and does not fill the place.
        private static bool TryFormat(Span<byte> digits, ulong value)
            => Utf8Formatter.TryFormat(value, digits, out var written) && written == digits.Length;
    }
}
