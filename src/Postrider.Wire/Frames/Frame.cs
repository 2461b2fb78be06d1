// Hot path: FrameParser -> this -> ClientSession, client Session. Allocations: none.
using System.Runtime.CompilerServices;

namespace Postrider.Wire.Frames;

/// <summary>One frame as received: slices of the parser's input, not copied.</summary>
/// <remarks>
/// Valid until the owner of the input releases those bytes. Members that the operation does not have are empty.
/// </remarks>
public ref struct Frame
{
    internal FrameKind _kind;
    internal ReadOnlySpan<byte> _bytes;
    internal int _subjectStart;
    internal int _subjectEnd;
    internal int _middleStart;
    internal int _middleEnd;
    internal int _replyStart;
    internal int _replyEnd;
    internal int _sizesStart;
    internal int _payloadStart;
    internal int _headerBytes;
    internal int _totalBytes;
    internal int _maxMessages;
    internal bool _canonical;

    /// <summary>The operation.</summary>
    public readonly FrameKind Kind => _kind;

    /// <summary>The whole frame, with its last CR LF.</summary>
    public readonly ReadOnlySpan<byte> Bytes => _bytes;

    /// <summary>The subject of a publish, message or subscribe frame.</summary>
    public readonly ReadOnlySpan<byte> Subject
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _bytes[_subjectStart.._subjectEnd];
    }

    /// <summary>The subscription id of a message, subscribe or unsubscribe frame, as its ASCII bytes.</summary>
    public readonly ReadOnlySpan<byte> Sid => _bytes[_middleStart.._middleEnd];

    /// <summary>The reply subject of a publish or message frame; empty when there is none.</summary>
    public readonly ReadOnlySpan<byte> ReplyTo => _bytes[_replyStart.._replyEnd];

    /// <summary>The queue group of a subscribe frame; empty when there is none.</summary>
    public readonly ReadOnlySpan<byte> QueueGroup => _bytes[_replyStart.._replyEnd];

    /// <summary>The text after INFO, CONNECT or -ERR, without the spaces before it and the line's end.</summary>
    public readonly ReadOnlySpan<byte> Text => _bytes[_replyStart.._replyEnd];

    /// <summary>The header block, from <c>NATS/1.0</c> to its empty line; empty when the frame has none.</summary>
    public readonly ReadOnlySpan<byte> Headers => _bytes.Slice(_payloadStart, _headerBytes);

    /// <summary>The payload without headers and without the last CR LF.</summary>
    public readonly ReadOnlySpan<byte> Payload => _bytes.Slice(_payloadStart + _headerBytes, _totalBytes - _headerBytes);

    /// <summary>Headers and payload together.</summary>
    public readonly ReadOnlySpan<byte> HeadersAndPayload => _bytes.Slice(_payloadStart, _totalBytes);

    /// <summary>The bytes of headers and payload together; 0 for operations without a payload.</summary>
    public readonly int TotalBytes => _totalBytes;

    /// <summary>The bytes of the header block; 0 without headers.</summary>
    public readonly int HeaderBytes => _headerBytes;

    /// <summary>The most messages of an unsubscribe frame, and only of one; -1 when it names none, 0 for a number that is not one.</summary>
    public readonly int MaxMessages => _maxMessages;

    /// <summary>
    /// Whether the arguments of a publish frame stand with exactly one space between them, so that
    /// <see cref="Tail"/> can be copied behind another head as it is.
    /// </summary>
    public readonly bool IsCanonical => _canonical;

    /// <summary>
    /// Of a canonical publish frame, everything behind the subject: <c> [reply ]sizes CR LF payload CR LF</c>,
    /// beginning with the space. Behind "MSG subject sid" it completes the message.
    /// </summary>
    public readonly ReadOnlySpan<byte> Tail
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _bytes[_subjectEnd..];
    }

    /// <summary>The sizes of a publish or message frame as written, up to the line's end without CR LF.</summary>
    internal readonly ReadOnlySpan<byte> Sizes => _bytes[_sizesStart.._payloadStart].TrimEnd("\r\n"u8);
}
