// Hot path: FrameParser -> this -> ClientSession, the client's ServerConnection. Allocations: none.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Postrider.Wire.Frames;

/// <summary>One frame as received: slices of the parser's input, not copied.</summary>
/// <remarks>
/// Valid until the owner of the input releases those bytes or reads the next frame. Members that the operation does not have are empty.
/// </remarks>
public readonly ref struct Frame
{
    private readonly ref byte _start;
    private readonly ref readonly FrameLayout _layout;

    internal Frame(ref byte start, ref readonly FrameLayout layout, bool isRepeat)
    {
        _start = ref start;
        _layout = ref layout;
        IsRepeat = isRepeat;
    }

    /// <summary>The operation.</summary>
    public FrameKind Kind => _layout.Kind;

    /// <summary>
    /// Whether the previous frame had the same line: operation, subject, reply and sizes, so that results derived from
    /// them still apply. Not set for every such frame.
    /// </summary>
    public bool IsRepeat { get; }

    /// <summary>The whole frame, with its last CR LF.</summary>
    public ReadOnlySpan<byte> Bytes => Slice(0, _layout.Length);

    /// <summary>The subject of a publish, message or subscribe frame.</summary>
    public ReadOnlySpan<byte> Subject
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Slice(_layout.SubjectStart, _layout.SubjectEnd);
    }

    /// <summary>The subscription id of a message, subscribe or unsubscribe frame, as its ASCII bytes.</summary>
    public ReadOnlySpan<byte> Sid => Slice(_layout.MiddleStart, _layout.MiddleEnd);

    /// <summary>The reply subject of a publish or message frame; empty if there is none.</summary>
    public ReadOnlySpan<byte> ReplyTo => Slice(_layout.ReplyStart, _layout.ReplyEnd);

    /// <summary>The queue group of a subscribe frame; empty if there is none.</summary>
    public ReadOnlySpan<byte> QueueGroup => Slice(_layout.ReplyStart, _layout.ReplyEnd);

    /// <summary>The text after INFO, CONNECT or -ERR, without the spaces before it and the line's end.</summary>
    public ReadOnlySpan<byte> Text => Slice(_layout.ReplyStart, _layout.ReplyEnd);

    /// <summary>The header block, from <c>NATS/1.0</c> to its empty line; empty if the frame has none.</summary>
    public ReadOnlySpan<byte> Headers => Slice(_layout.PayloadStart, _layout.PayloadStart + _layout.HeaderBytes);

    /// <summary>The payload without headers and without the last CR LF.</summary>
    public ReadOnlySpan<byte> Payload => Slice(_layout.PayloadStart + _layout.HeaderBytes, _layout.PayloadStart + _layout.TotalBytes);

    /// <summary>Headers and payload together.</summary>
    public ReadOnlySpan<byte> HeadersAndPayload => Slice(_layout.PayloadStart, _layout.PayloadStart + _layout.TotalBytes);

    /// <summary>The bytes of headers and payload together; 0 for operations without a payload.</summary>
    public int TotalBytes => _layout.TotalBytes;

    /// <summary>The bytes of the header block; 0 without headers.</summary>
    public int HeaderBytes => _layout.HeaderBytes;

    /// <summary>The maximum number of messages of an unsubscribe frame, for no other kind; -1 if it has none, 0 if the number is not valid.</summary>
    public int MaxMessages => _layout.MaxMessages;

    /// <summary>
    /// Whether the arguments of a publish frame are separated by exactly one space, so that
    /// <see cref="Tail"/> can be copied unchanged after another head.
    /// </summary>
    public bool IsCanonical => _layout.IsCanonical;

    /// <summary>
    /// For a canonical publish frame, everything after the subject: <c> [reply ]sizes CR LF payload CR LF</c>,
    /// starting with the space. After "MSG subject sid" it completes the message.
    /// </summary>
    public ReadOnlySpan<byte> Tail
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Slice(_layout.SubjectEnd, _layout.Length);
    }

    /// <summary>The sizes of a publish or message frame as written, up to the line's end without CR LF.</summary>
    internal ReadOnlySpan<byte> Sizes => Slice(_layout.SizesStart, _layout.PayloadStart).TrimEnd("\r\n"u8);

    // The parser has checked that the parts lie within the frame.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ReadOnlySpan<byte> Slice(int start, int end) => MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref _start, start), end - start);
}
