using System.Buffers.Text;
using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Writes MSG and HMSG frames from their parts.</summary>
internal static class MessageWriter
{
    // Two sizes of ten digits, spaces and CR LF.
    private const int MaxSizesBytes = 24;

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

    private static int WriteNumber(Span<byte> target, int number)
    {
        target[0] = (byte)' ';
        _ = Utf8Formatter.TryFormat(number, target[1..], out var written);
        return written + 1;
    }
}
