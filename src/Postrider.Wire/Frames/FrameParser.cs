// Hot path: Connection -> IReceiver -> this -> Frame. Allocations: none.
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Postrider.Wire.Frames;

/// <summary>Pulls frames of the NATS client protocol from received bytes.</summary>
/// <remarks>
/// Not thread-safe; one parser per connection. It keeps no bytes, only its position, so the caller must pass
/// the unread bytes again together with more. Operation names are case-insensitive, arguments are separated by any
/// number of spaces, tabs and CRs, a line ends in LF with an optional CR. Source: NATS client protocol.
/// </remarks>
public struct FrameParser
{
    /// <summary>Maximum number of bytes of an operation's arguments unless <see cref="MaxLineBytes"/> says otherwise.</summary>
    public const int DefaultMaxLineBytes = 4096;

    /// <summary>Maximum number of bytes of headers and payload unless <see cref="MaxPayloadBytes"/> says otherwise.</summary>
    public const int DefaultMaxPayloadBytes = 1024 * 1024;

    // For lines from a server. An INFO lists a cluster's addresses and has no limit in the protocol; this limit prevents a
    // server that sends no line end from filling the memory.
    private const int MaxServerLineBytes = 1024 * 1024;

    private const uint PubSpace = 0x20425550;
    private const uint MsgSpace = 0x2047534D;
    private const uint HpubWord = 0x42555048;
    private const uint HmsgWord = 0x47534D48;
    private const ulong FiveBytes = 0xFF_FFFF_FFFF;
    private const ulong HpubSpace = 0x20_4255_5048;
    private const ulong HmsgSpace = 0x20_4753_4D48;

    private const FrameKind WithoutArguments = FrameKind.Ping | FrameKind.Pong | FrameKind.Ok;

    private readonly FrameKind _accepted;

    // How far the input was searched for a line end; negative inside a line whose rest is
    // skipped (text after PING on its line has no meaning and no limit, so it is not kept).
    private int _scanned;
    private FrameKind _skipped;

    // The positions of the last frame's parts. While _repeatBytes is not MaxValue, the frame started with the bytes of
    // _repeatLine that _repeatMask selects, its whole line, and has _repeatBytes bytes: a client that publishes many messages of one
    // size to a subject sends that line repeatedly.
    private FrameLayout _layout;
    private Vector512<byte> _repeatLine;
    private ulong _repeatMask;
    private int _repeatBytes = int.MaxValue;
    private int _maxPayloadBytes;

    // The first size that is too large. Negative sizes, of what is no number, compare as too large with any limit.
    private uint _payloadBytesEnd;

    /// <summary>Creates a parser for one direction of a connection.</summary>
    /// <param name="accepted">The operations that this side accepts; any other is <see cref="FrameError.UnknownOperation"/>.</param>
    public FrameParser(FrameKind accepted)
    {
        _accepted = accepted;
        MaxLineBytes = DefaultMaxLineBytes;
        MaxPayloadBytes = DefaultMaxPayloadBytes;
    }

    /// <summary>Maximum number of bytes of an operation's arguments, 1 and up, and of the spaces before them.</summary>
    /// <remarks>For lines from clients; the limit for a server's lines is 1 MiB.</remarks>
    public int MaxLineBytes { get; set; }

    /// <summary>Maximum number of bytes of headers and payload; -1 for no limit. Below that every message is rejected.</summary>
    public int MaxPayloadBytes
    {
        readonly get => _maxPayloadBytes;
        set
        {
            _maxPayloadBytes = value;
            _payloadBytesEnd = value switch { -1 => 1u << 31, < -1 => 0, _ => (uint)value + 1 };
            // What passed the old limit is to be looked at again.
            _repeatBytes = int.MaxValue;
        }
    }

    /// <summary>Whether HPUB is <see cref="FrameError.HeadersNotSupported"/>, reported at the end of its line.</summary>
    public bool RefusesHeaders { readonly get; set; }

    /// <summary>The error after <see cref="OperationStatus.InvalidData"/>.</summary>
    public FrameError Error { get; private set; }

    /// <summary>
    /// After <see cref="OperationStatus.NeedMoreData"/>, the size of the whole frame if it is known, else 0:
    /// the buffer size that the caller should provide.
    /// </summary>
    public int NeededBytes { get; private set; }

    /// <summary>Reads one frame from the front of <paramref name="input"/>.</summary>
    /// <param name="input">Bytes as received; on success it starts after the frame. Otherwise it is unchanged and the
    /// parser remembers how far it scanned, except for the rest of a PING's line, which is dropped as it arrives.</param>
    /// <param name="frame">Slices of <paramref name="input"/>: valid until the caller releases those bytes. Not copied.</param>
    /// <returns>
    /// <see cref="OperationStatus.Done"/> with a frame,
    /// <see cref="OperationStatus.NeedMoreData"/> when the frame is not complete,
    /// <see cref="OperationStatus.InvalidData"/> when no further byte can make it valid (see <see cref="Error"/>).
    /// </returns>
    [UnscopedRef]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public OperationStatus TryRead(ref ReadOnlySpan<byte> input, out Frame frame)
    {
        ref var start = ref MemoryMarshal.GetReference(input);
        var isRepeat = true;
        if (input.Length >= Vector512<byte>.Count && _scanned == 0 && (IsRepeat(in input) || ((isRepeat = false) | TryReadShort(in input))))
        {
            frame = new Frame(ref start, ref _layout, isRepeat);
            input = MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref start, _layout.Length), input.Length - _layout.Length);
            return OperationStatus.Done;
        }
        _repeatBytes = int.MaxValue;
        _layout = default;
        var status = TryReadAny(ref input);
        frame = new Frame(ref start, ref _layout, isRepeat: false);
        return status;
    }

    // Whether the frame repeats the previous line, with another payload of the same size.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly bool IsRepeat(scoped ref readonly ReadOnlySpan<byte> input)
    {
        ref var start = ref MemoryMarshal.GetReference(input);
        var equal = Vector512.Equals(Vector512.LoadUnsafe(ref start), _repeatLine).ExtractMostSignificantBits();
        return _repeatBytes <= input.Length && (~equal & _repeatMask) == 0
            && Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref start, _repeatBytes - 2)) == 0x0A0D;
    }

    private bool TryReadShort(scoped ref readonly ReadOnlySpan<byte> input)
        => (_accepted & FrameKind.Publish) != 0 ? TryReadShortPublish(in input) : TryReadShortMessage(in input);

    // The common publish: upper case, one space between arguments, the line within 64 bytes, the frame complete.
    private bool TryReadShortPublish(scoped ref readonly ReadOnlySpan<byte> input)
    {
        ref var start = ref MemoryMarshal.GetReference(input);
        if (Unsafe.ReadUnaligned<uint>(ref start) != PubSpace)
        {
            return (Unsafe.ReadUnaligned<ulong>(ref start) & FiveBytes) == HpubSpace
                && !RefusesHeaders
                && TryReadShort(in input, FrameKind.PublishWithHeaders, subjectStart: 5, sids: 0, sizes: 2);
        }
        var block = Vector512.LoadUnsafe(ref start);
        var lineFeeds = Vector512.Equals(block, Vector512.Create((byte)'\n')).ExtractMostSignificantBits();
        if (lineFeeds == 0) return false;
        var lineEnd = BitOperations.TrailingZeroCount(lineFeeds);
        var inLine = (1UL << lineEnd) - 1;
        var others = (Vector512.Equals(block, Vector512.Create((byte)'\t')) | Vector512.Equals(block, Vector512.Create((byte)'\r')))
            .ExtractMostSignificantBits() & inLine;
        // Bits from the subject on: the four bytes "PUB " are known.
        var spaces = (Vector512.Equals(block, Vector512.Create((byte)' ')).ExtractMostSignificantBits() & inLine) >> 4 << 4;
        var subjectEnd = BitOperations.TrailingZeroCount(spaces);
        var rest = spaces & (spaces - 1);
        var argumentsEnd = lineEnd - 1;
        // No tab, and no CR except the one before the LF.
        if (others != 1UL << argumentsEnd || Unsafe.Add(ref start, argumentsEnd) != '\r' || spaces == 0 || subjectEnd == 4) return false;
        int sizeStart = subjectEnd + 1, replyEnd = sizeStart;
        if (rest != 0)
        {
            replyEnd = BitOperations.TrailingZeroCount(rest);
            if ((rest & (rest - 1)) != 0 || replyEnd == sizeStart) return false;
            sizeStart = replyEnd + 1;
        }
        var size = ParseDigits(ref Unsafe.Add(ref start, sizeStart), argumentsEnd - sizeStart);
        var payloadStart = lineEnd + 1;
        var length = payloadStart + size + 2;
        if ((uint)size >= _payloadBytesEnd || length > input.Length || argumentsEnd - 4 > MaxLineBytes) return false;
        if (Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref start, payloadStart + size)) != 0x0A0D) return false;
        _layout.Kind = FrameKind.Publish;
        _layout.Length = length;
        _layout.SubjectStart = 4;
        _layout.SubjectEnd = subjectEnd;
        _layout.ReplyStart = rest != 0 ? subjectEnd + 1 : subjectEnd;
        _layout.ReplyEnd = rest != 0 ? replyEnd : subjectEnd;
        _layout.MiddleStart = _layout.MiddleEnd = 0;
        _layout.SizesStart = sizeStart;
        _layout.PayloadStart = payloadStart;
        _layout.HeaderBytes = 0;
        _layout.TotalBytes = size;
        _layout.IsCanonical = true;
        MayRepeat(block, inLine | (1UL << lineEnd), length);
        return true;
    }

    // The common message, with or without headers: like the common publish, with the subscription's id after the subject.
    private bool TryReadShortMessage(scoped ref readonly ReadOnlySpan<byte> input)
    {
        var word = Unsafe.ReadUnaligned<ulong>(ref MemoryMarshal.GetReference(input));
        if ((uint)word == MsgSpace) return TryReadShort(in input, FrameKind.Message, subjectStart: 4, sids: 1, sizes: 1);
        return (word & FiveBytes) == HmsgSpace && TryReadShort(in input, FrameKind.MessageWithHeaders, subjectStart: 5, sids: 1, sizes: 2);
    }

    // Subject, optional id, optional reply, one or two sizes: separated by one space and within 64 bytes.
    private bool TryReadShort(scoped ref readonly ReadOnlySpan<byte> input, FrameKind kind, int subjectStart, int sids, int sizes)
    {
        if ((_accepted & kind) == 0) return false;
        ref var start = ref MemoryMarshal.GetReference(input);
        var block = Vector512.LoadUnsafe(ref start);
        var lineFeeds = Vector512.Equals(block, Vector512.Create((byte)'\n')).ExtractMostSignificantBits();
        if (lineFeeds == 0) return false;
        var lineEnd = BitOperations.TrailingZeroCount(lineFeeds);
        var inLine = (1UL << lineEnd) - 1;
        var others = (Vector512.Equals(block, Vector512.Create((byte)'\t')) | Vector512.Equals(block, Vector512.Create((byte)'\r')))
            .ExtractMostSignificantBits() & inLine;
        var spaces = (Vector512.Equals(block, Vector512.Create((byte)' ')).ExtractMostSignificantBits() & inLine) >> subjectStart << subjectStart;
        // One space between arguments: no two adjacent, none at the start or the end.
        var argumentsEnd = lineEnd - 1;
        if (others != 1UL << argumentsEnd || Unsafe.Add(ref start, argumentsEnd) != '\r') return false;
        if ((spaces & (spaces << 1)) != 0 || (spaces & (1UL << subjectStart)) != 0 || (spaces & (1UL << (argumentsEnd - 1))) != 0) return false;
        var min = sids + sizes;
        var count = BitOperations.PopCount(spaces);
        if (count != min && count != min + 1) return false;
        var subjectEnd = BitOperations.TrailingZeroCount(spaces);
        spaces &= spaces - 1;
        var middleEnd = subjectEnd;
        if (sids > 0)
        {
            middleEnd = BitOperations.TrailingZeroCount(spaces);
            spaces &= spaces - 1;
        }
        int replyStart = subjectEnd, replyEnd = subjectEnd;
        var sizesStart = middleEnd + 1;
        if (count > min)
        {
            replyStart = sizesStart;
            replyEnd = BitOperations.TrailingZeroCount(spaces);
            spaces &= spaces - 1;
            sizesStart = replyEnd + 1;
        }
        var headerBytes = 0;
        var sizeStart = sizesStart;
        if (sizes == 2)
        {
            var space = BitOperations.TrailingZeroCount(spaces);
            headerBytes = ParseDigits(ref Unsafe.Add(ref start, sizesStart), space - sizesStart);
            sizeStart = space + 1;
        }
        var size = ParseDigits(ref Unsafe.Add(ref start, sizeStart), argumentsEnd - sizeStart);
        var payloadStart = lineEnd + 1;
        var length = payloadStart + size + 2;
        if ((uint)size >= _payloadBytesEnd || headerBytes < 0 || headerBytes > size || length > input.Length || (sids == 0 && argumentsEnd - subjectStart > MaxLineBytes)) return false;
        if (Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref start, payloadStart + size)) != 0x0A0D) return false;
        _layout.Kind = kind;
        _layout.Length = length;
        _layout.SubjectStart = subjectStart;
        _layout.SubjectEnd = subjectEnd;
        _layout.MiddleStart = sids > 0 ? subjectEnd + 1 : subjectEnd;
        _layout.MiddleEnd = middleEnd;
        _layout.ReplyStart = replyStart;
        _layout.ReplyEnd = replyEnd;
        _layout.SizesStart = sizesStart;
        _layout.PayloadStart = payloadStart;
        _layout.HeaderBytes = headerBytes;
        _layout.TotalBytes = size;
        _layout.IsCanonical = true;
        MayRepeat(block, inLine | (1UL << lineEnd), length);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void MayRepeat(Vector512<byte> block, ulong line, int length)
    {
        _repeatLine = block;
        _repeatMask = line;
        _repeatBytes = length;
    }

    private OperationStatus TryReadAny(ref ReadOnlySpan<byte> input)
    {
        NeededBytes = 0;
        if (input.IsEmpty) return OperationStatus.NeedMoreData;
        if (_scanned < 0)
        {
            var lineEnd = input.IndexOf((byte)'\n');
            _layout.Kind = _skipped;
            _layout.Length = lineEnd + 1;
            input = lineEnd < 0 ? [] : input[(lineEnd + 1)..];
            _scanned = lineEnd < 0 ? -1 : 0;
            return lineEnd < 0 ? OperationStatus.NeedMoreData : OperationStatus.Done;
        }
        var (kind, nameBytes) = ReadName(input);
        if (kind == FrameKind.None || (kind & _accepted) == 0)
            return nameBytes > 0 && kind == FrameKind.None ? OperationStatus.NeedMoreData : Fail(FrameError.UnknownOperation);
        var lineFeed = input[_scanned..].IndexOf((byte)'\n');
        if (lineFeed < 0) return LineIncomplete(ref input, kind, nameBytes);
        lineFeed += _scanned;
        _scanned = 0;
        var argumentsEnd = lineFeed > nameBytes && input[lineFeed - 1] == '\r' ? lineFeed - 1 : lineFeed;
        var argumentsStart = nameBytes;
        while (argumentsStart < argumentsEnd && input[argumentsStart] is (byte)' ' or (byte)'\t') argumentsStart++;
        _layout.Kind = kind;
        _layout.Length = lineFeed + 1;
        if ((kind & WithoutArguments) != 0)
        {
            input = input[(lineFeed + 1)..];
            return OperationStatus.Done;
        }
        if (IsTooLong(argumentsStart - nameBytes, argumentsEnd - argumentsStart)) return Fail(FrameError.LineTooLong);
        if ((kind & (FrameKind.Info | FrameKind.Connect | FrameKind.Error)) != 0)
        {
            _layout.ReplyStart = argumentsStart;
            _layout.ReplyEnd = argumentsEnd;
            input = input[(lineFeed + 1)..];
            return OperationStatus.Done;
        }
        if (kind == FrameKind.PublishWithHeaders && RefusesHeaders) return Fail(FrameError.HeadersNotSupported);
        var error = ReadArguments(input, argumentsStart, argumentsEnd, ref _layout);
        if (error != FrameError.None) return Fail(error);
        if ((kind & (FrameKind.Subscribe | FrameKind.Unsubscribe)) != 0)
        {
            input = input[(lineFeed + 1)..];
            return OperationStatus.Done;
        }
        var status = ReadPayload(input, lineFeed + 1);
        if (status == OperationStatus.Done) input = input[_layout.Length..];
        return status;
    }

    private OperationStatus ReadPayload(ReadOnlySpan<byte> input, int payloadStart)
    {
        if ((uint)_layout.TotalBytes >= _payloadBytesEnd) return Fail(FrameError.PayloadTooLarge);
        var payloadEnd = payloadStart + _layout.TotalBytes;
        var length = payloadEnd + 2;
        if ((input.Length > payloadEnd && input[payloadEnd] != '\r') || (input.Length >= length && input[payloadEnd + 1] != '\n'))
            return Fail(FrameError.UnknownOperation);
        if (input.Length < length)
        {
            NeededBytes = length;
            return OperationStatus.NeedMoreData;
        }
        _layout.Length = length;
        _layout.PayloadStart = payloadStart;
        return OperationStatus.Done;
    }

    private OperationStatus LineIncomplete(ref ReadOnlySpan<byte> input, FrameKind kind, int nameBytes)
    {
        if ((kind & WithoutArguments) != 0)
        {
            _skipped = kind;
            _scanned = -1;
            input = [];
            return OperationStatus.NeedMoreData;
        }
        var argumentsStart = nameBytes;
        while (argumentsStart < input.Length && input[argumentsStart] is (byte)' ' or (byte)'\t') argumentsStart++;
        if (IsTooLong(argumentsStart - nameBytes, input.Length - argumentsStart - (input[^1] == '\r' ? 1 : 0)))
            return Fail(FrameError.LineTooLong);
        _scanned = input.Length;
        return OperationStatus.NeedMoreData;
    }

    private readonly bool IsTooLong(int spacesBytes, int argumentsBytes)
    {
        var limit = (_accepted & FrameKind.Connect) != 0 ? MaxLineBytes : MaxServerLineBytes;
        return argumentsBytes > limit || spacesBytes > limit;
    }

    private OperationStatus Fail(FrameError error)
    {
        Error = error;
        return OperationStatus.InvalidData;
    }

    // The operation and the length of its name; (None, n > 0) while the bytes may still become a name,
    // (None, 0) if they cannot.
    private static (FrameKind Kind, int NameBytes) ReadName(ReadOnlySpan<byte> input)
    {
        if (input.Length >= 5)
        {
            var word = MemoryMarshal.Read<uint>(input);
            if (word == MsgSpace) return (FrameKind.Message, 3);
            if (word == PubSpace) return (FrameKind.Publish, 3);
            if (input[4] == ' ' && word == HmsgWord) return (FrameKind.MessageWithHeaders, 4);
            if (input[4] == ' ' && word == HpubWord) return (FrameKind.PublishWithHeaders, 4);
        }
        return (input[0] | 0x20) switch
        {
            'p' => Pick(input, ("pub", FrameKind.Publish, true), ("ping", FrameKind.Ping, false), ("pong", FrameKind.Pong, false)),
            'h' => Pick(input, ("hpub", FrameKind.PublishWithHeaders, true), ("hmsg", FrameKind.MessageWithHeaders, true), default),
            'm' => Pick(input, ("msg", FrameKind.Message, true), default, default),
            's' => Pick(input, ("sub", FrameKind.Subscribe, true), default, default),
            'u' => Pick(input, ("unsub", FrameKind.Unsubscribe, true), default, default),
            'c' => Pick(input, ("connect", FrameKind.Connect, false), default, default),
            'i' => Pick(input, ("info", FrameKind.Info, false), default, default),
            _ when input[0] == '+' => Pick(input, ("+ok", FrameKind.Ok, false), default, default),
            _ when input[0] == '-' => Pick(input, ("-err", FrameKind.Error, true), default, default),
            _ => default,
        };
    }

    private static (FrameKind Kind, int NameBytes) Pick(
        ReadOnlySpan<byte> input,
        (string Name, FrameKind Kind, bool SpaceFollows) first,
        (string Name, FrameKind Kind, bool SpaceFollows) second,
        (string Name, FrameKind Kind, bool SpaceFollows) third)
    {
        var result = Compare(input, first);
        if (result == default && second.Name is not null) result = Compare(input, second);
        if (result == default && third.Name is not null) result = Compare(input, third);
        return result;
    }

    private static (FrameKind Kind, int NameBytes) Compare(
        ReadOnlySpan<byte> input, (string Name, FrameKind Kind, bool SpaceFollows) candidate)
    {
        var length = candidate.Name.Length;
        var known = Math.Min(length, input.Length);
        for (var i = 0; i < known; i++)
        {
            var letter = candidate.Name[i];
            var folded = char.IsAsciiLetter(letter) ? input[i] | 0x20 : input[i];
            if (folded != letter) return default;
        }
        if (input.Length < length || (candidate.SpaceFollows && input.Length == length)) return (FrameKind.None, length);
        if (candidate.SpaceFollows && input[length] is not ((byte)' ' or (byte)'\t')) return default;
        return (candidate.Kind, length);
    }

    private static FrameError ReadArguments(ReadOnlySpan<byte> input, int start, int end, ref FrameLayout layout)
    {
        Span<(int Start, int End)> arguments = stackalloc (int, int)[6];
        var count = 0;
        var canonical = true;
        var position = start;
        while (position < end && IsSeparator(input[position])) position++;
        while (position < end)
        {
            var argumentStart = position;
            // A vector at a time: acknowledgements of streams have long subjects, all of them different.
            var length = input[position..end].IndexOfAny((byte)' ', (byte)'\t', (byte)'\r');
            position = length < 0 ? end : position + length;
            if (count == arguments.Length) return FrameError.WrongArguments;
            arguments[count++] = (argumentStart, position);
            var separator = position;
            while (position < end && IsSeparator(input[position])) position++;
            canonical &= position == end ? separator == end : position - separator == 1 && input[separator] == ' ';
        }
        layout.IsCanonical = canonical && end < input.Length && input[end] == '\r';
        var (min, sizes) = layout.Kind switch
        {
            FrameKind.Publish => (2, 1),
            FrameKind.PublishWithHeaders => (3, 2),
            FrameKind.Message => (3, 1),
            FrameKind.MessageWithHeaders => (4, 2),
            FrameKind.Subscribe => (2, 0),
            _ => (1, 0),
        };
        if (count < min || count > min + 1) return FrameError.WrongArguments;
        if (layout.Kind == FrameKind.Unsubscribe)
        {
            (layout.MiddleStart, layout.MiddleEnd) = arguments[0];
            layout.MaxMessages = count == 1 ? -1 : Math.Max(0, ParseSize(input, arguments[1]));
            return FrameError.None;
        }
        (layout.SubjectStart, layout.SubjectEnd) = arguments[0];
        if (layout.Kind == FrameKind.Subscribe)
        {
            if (count == 3) (layout.ReplyStart, layout.ReplyEnd) = arguments[1];
            (layout.MiddleStart, layout.MiddleEnd) = arguments[count - 1];
            return FrameError.None;
        }
        if ((layout.Kind & (FrameKind.Message | FrameKind.MessageWithHeaders)) != 0)
            (layout.MiddleStart, layout.MiddleEnd) = arguments[1];
        (layout.ReplyStart, layout.ReplyEnd) = count > min ? arguments[count - sizes - 1] : (layout.SubjectEnd, layout.SubjectEnd);
        layout.SizesStart = arguments[count - sizes].Start;
        layout.TotalBytes = ParseSize(input, arguments[count - 1]);
        layout.HeaderBytes = sizes == 2 ? ParseSize(input, arguments[count - 2]) : 0;
        return layout.TotalBytes < 0 || layout.HeaderBytes < 0 || layout.HeaderBytes > layout.TotalBytes
            ? FrameError.WrongSize
            : FrameError.None;
    }

    private static bool IsSeparator(byte value) => value is (byte)' ' or (byte)'\t' or (byte)'\r';

    private static int ParseSize(ReadOnlySpan<byte> input, (int Start, int End) argument)
        => ParseDigits(ref Unsafe.AsRef(in input[argument.Start]), argument.End - argument.Start);

    // -1 for anything but one to nine digits.
    private static int ParseDigits(ref byte first, int count)
    {
        if ((uint)(count - 1) > 8) return -1;
        var value = 0;
        for (var i = 0; i < count; i++)
        {
            var digit = (uint)(Unsafe.Add(ref first, i) - '0');
            if (digit > 9) return -1;
            value = (value * 10) + (int)digit;
        }
        return value;
    }
}
