// Hot path: PublishFrameWriter, ControlFrameWriter -> this -> SendLane. Allocations: none.
using System.Buffers;
using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Text;

namespace Postrider.Wire.Frames;

/// <summary>Writes the frames of a client: PUB and HPUB heads, SUB, UNSUB.</summary>
/// <remarks>
/// Every method fills a span that the caller made large enough with the matching <c>Max…Bytes</c> and returns what it
/// used. Subjects are not checked here. Source: NATS client protocol.
/// </remarks>
public static class FrameWriter
{
    // A size is at most nine digits (the parser's limit), an id at most twenty.
    private const int MaxSizeDigits = 9;
    private const int MaxNumberDigits = 20;

    /// <summary>The end of a line and of a payload.</summary>
    public static ReadOnlySpan<byte> LineEnd => "\r\n"u8;

    /// <summary>An upper bound of the length of a publish's head.</summary>
    /// <param name="subject">The subject.</param>
    /// <param name="replyTo">The reply subject in UTF-8, or empty.</param>
    /// <returns>Bytes.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int MaxPublishHeadBytes(string subject, ReadOnlySpan<byte> replyTo)
        => "HPUB    \r\n".Length + (2 * MaxSizeDigits) + MaxTextBytes(subject) + replyTo.Length;

    /// <summary>Writes the line in front of headers and payload.</summary>
    /// <param name="target">At least as many bytes as the matching <c>MaxPublishHeadBytes</c>.</param>
    /// <param name="subject">The subject.</param>
    /// <param name="replyTo">The reply subject in UTF-8, or empty.</param>
    /// <param name="headerBytes">The bytes of the header block; 0 writes a PUB.</param>
    /// <param name="totalBytes">The bytes of headers and payload.</param>
    /// <returns>The bytes written.</returns>
    public static int WritePublishHead(Span<byte> target, string subject, ReadOnlySpan<byte> replyTo, int headerBytes, int totalBytes)
    {
        var position = 4;
        if (headerBytes > 0)
        {
            "HPUB "u8.CopyTo(target);
            position = 5;
        }
        else
        {
            "PUB "u8.CopyTo(target);
        }
        position += WriteText(target[position..], subject);
        target[position++] = (byte)' ';
        if (!replyTo.IsEmpty)
        {
            replyTo.CopyTo(target[position..]);
            position += replyTo.Length;
            target[position++] = (byte)' ';
        }
        if (headerBytes > 0)
        {
            position += WriteNumber(target[position..], headerBytes);
            target[position++] = (byte)' ';
        }
        position += WriteNumber(target[position..], totalBytes);
        LineEnd.CopyTo(target[position..]);
        return position + 2;
    }

    /// <summary>An upper bound of the length of a head without headers and reply subject.</summary>
    /// <param name="subjectBytes">The subject's bytes.</param>
    /// <returns>Bytes.</returns>
    public static int MaxPublishHeadBytes(int subjectBytes) => "PUB  \r\n".Length + MaxSizeDigits + subjectBytes;

    /// <summary>Writes the line in front of a payload, for a subject that is bytes already.</summary>
    /// <param name="target">At least as many bytes as the matching <c>MaxPublishHeadBytes</c>.</param>
    /// <param name="subject">The subject in UTF-8.</param>
    /// <param name="payloadBytes">The bytes of the payload.</param>
    /// <returns>The bytes written.</returns>
    public static int WritePublishHead(Span<byte> target, ReadOnlySpan<byte> subject, int payloadBytes)
    {
        "PUB "u8.CopyTo(target);
        subject.CopyTo(target[4..]);
        var position = 4 + subject.Length;
        target[position++] = (byte)' ';
        position += WriteNumber(target[position..], payloadBytes);
        LineEnd.CopyTo(target[position..]);
        return position + 2;
    }

    /// <summary>An upper bound of the length that <see cref="WriteSubscribe"/> writes.</summary>
    /// <param name="subject">The subject.</param>
    /// <param name="queueGroup">The queue group, or null.</param>
    /// <returns>Bytes.</returns>
    public static int MaxSubscribeBytes(string subject, string? queueGroup)
        => "SUB   \r\n".Length + MaxNumberDigits + MaxTextBytes(subject) + (queueGroup is null ? 0 : MaxTextBytes(queueGroup));

    /// <summary>Writes a subscribe frame.</summary>
    /// <param name="target">At least <see cref="MaxSubscribeBytes"/> bytes.</param>
    /// <param name="subject">The subject, with or without wildcards.</param>
    /// <param name="queueGroup">The queue group, or null.</param>
    /// <param name="sid">The subscription's id.</param>
    /// <returns>The bytes written.</returns>
    public static int WriteSubscribe(Span<byte> target, string subject, string? queueGroup, long sid)
    {
        "SUB "u8.CopyTo(target);
        var position = 4 + WriteText(target[4..], subject);
        target[position++] = (byte)' ';
        if (queueGroup is not null)
        {
            position += WriteText(target[position..], queueGroup);
            target[position++] = (byte)' ';
        }
        position += WriteNumber(target[position..], sid);
        LineEnd.CopyTo(target[position..]);
        return position + 2;
    }

    /// <summary>An upper bound of the length that <see cref="WriteUnsubscribe"/> writes.</summary>
    public const int MaxUnsubscribeBytes = 6 + MaxNumberDigits + 1 + MaxNumberDigits + 2;

    /// <summary>Writes an unsubscribe frame.</summary>
    /// <param name="target">At least <see cref="MaxUnsubscribeBytes"/> bytes.</param>
    /// <param name="sid">The subscription's id.</param>
    /// <param name="maxMessages">The number of messages after which the server ends the subscription; 0 ends it immediately.</param>
    /// <returns>The bytes written.</returns>
    public static int WriteUnsubscribe(Span<byte> target, long sid, long maxMessages)
    {
        "UNSUB "u8.CopyTo(target);
        var position = 6 + WriteNumber(target[6..], sid);
        if (maxMessages > 0)
        {
            target[position++] = (byte)' ';
            position += WriteNumber(target[position..], maxMessages);
        }
        LineEnd.CopyTo(target[position..]);
        return position + 2;
    }

    private static int MaxTextBytes(string text) => text.Length * 3;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int WriteText(Span<byte> target, string text)
        => Ascii.FromUtf16(text, target, out var written) == OperationStatus.Done ? written : Encoding.UTF8.GetBytes(text, target);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int WriteNumber(Span<byte> target, long value)
    {
        Utf8Formatter.TryFormat(value, target, out var written);
        return written;
    }
}
