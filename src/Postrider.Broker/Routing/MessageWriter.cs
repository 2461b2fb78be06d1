// Hot path: Subscription.Write -> this -> SendLane, per delivery from a stream. Allocations: none.
using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Writes MSG and HMSG frames from their parts.</summary>
internal static class MessageWriter
{
    // Frames up to this size, that of a small chunk, are written in one piece. Larger ones may be split over two chunks: keeping them
    // whole would leave too much of a chunk empty.
    internal const int MaxWholeBytes = 4 * 1024;

    // The longest name, three spaces, two sizes of ten digits, CR LF twice.
    private const int MaxFixedBytes = 5 + 3 + 20 + 4;
    private const int MaxSizesBytes = 24;
    private const int MaxSizeDigits = 10;

    private const uint MsgSpace = 0x2047534D;
    private const uint HmsgWord = 0x47534D48;
    private const ushort LineEnd = 0x0A0D;

    /// <summary>Writes a frame.</summary>
    /// <param name="lane">The lane to write to.</param>
    /// <param name="subject">The message's subject.</param>
    /// <param name="sidWithSpace">A space and the subscription's sid.</param>
    /// <param name="replyTo">The reply subject, or empty.</param>
    /// <param name="headers">The header block, or empty.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="asHmsg">Whether the frame is an HMSG, even when the header block is empty.</param>
    public static void Write(
        SendLane lane,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> sidWithSpace,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        bool asHmsg)
    {
        var parts = (long)subject.Length + sidWithSpace.Length + replyTo.Length + headers.Length + payload.Length;
        if (parts > MaxWholeBytes - MaxFixedBytes)
        {
            WriteParts(lane, subject, sidWithSpace, replyTo, headers, payload, asHmsg);
            return;
        }
        ref var start = ref MemoryMarshal.GetReference(lane.Reserve(MaxFixedBytes + (int)parts));
        var at = WriteName(ref start, asHmsg);
        Copy(subject, ref start, ref at);
        Copy(sidWithSpace, ref start, ref at);
        if (!replyTo.IsEmpty)
        {
            Unsafe.Add(ref start, at++) = (byte)' ';
            Copy(replyTo, ref start, ref at);
        }
        if (asHmsg) at += WriteNumber(SizeAt(ref start, at), headers.Length);
        at += WriteNumber(SizeAt(ref start, at), headers.Length + payload.Length);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, at), LineEnd);
        at += sizeof(ushort);
        if (!headers.IsEmpty) Copy(headers, ref start, ref at);
        Copy(payload, ref start, ref at);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, at), LineEnd);
        lane.Advance(at + sizeof(ushort));
    }

    /// <summary>Writes a frame's name with the space after it.</summary>
    /// <param name="start">Room for five bytes.</param>
    /// <param name="asHmsg">Whether the frame is an HMSG.</param>
    /// <returns>The number of bytes.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int WriteName(ref byte start, bool asHmsg)
    {
        if (!asHmsg)
        {
            Unsafe.WriteUnaligned(ref start, MsgSpace);
            return 4;
        }
        Unsafe.WriteUnaligned(ref start, HmsgWord);
        Unsafe.Add(ref start, 4) = (byte)' ';
        return 5;
    }

    private static void WriteParts(
        SendLane lane,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> sidWithSpace,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        bool asHmsg)
    {
        lane.Write(asHmsg ? "HMSG "u8 : "MSG "u8);
        lane.Write(subject);
        lane.Write(sidWithSpace);
        if (!replyTo.IsEmpty)
        {
            lane.Write(" "u8);
            lane.Write(replyTo);
        }
        var sizes = lane.Reserve(MaxSizesBytes);
        var length = 0;
        if (asHmsg) length += WriteNumber(sizes, headers.Length);
        length += WriteNumber(sizes[length..], headers.Length + payload.Length);
        sizes[length++] = (byte)'\r';
        sizes[length++] = (byte)'\n';
        lane.Advance(length);
        lane.Write(headers);
        lane.Write(payload);
        lane.Write("\r\n"u8);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Copy(ReadOnlySpan<byte> part, ref byte start, ref int at)
    {
        InlineCopy.Copy(part, ref Unsafe.Add(ref start, at));
        at += part.Length;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Span<byte> SizeAt(ref byte start, int at) => MemoryMarshal.CreateSpan(ref Unsafe.Add(ref start, at), 1 + MaxSizeDigits);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int WriteNumber(Span<byte> target, int number)
    {
        target[0] = (byte)' ';
        _ = Utf8Formatter.TryFormat(number, target[1..], out var written);
        return written + 1;
    }
}
