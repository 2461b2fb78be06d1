// Hot path: generated formatter -> this -> the caller's bytes. Allocations: the strings and arrays it returns.
using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Postrider.Memory;

namespace Postrider.MessagePack;

/// <summary>Reads MessagePack values from untrusted bytes.</summary>
/// <remarks>
/// Shape: moves through a span, or through a sequence segment by segment; spans it returns are slices of the input, except
/// text and bytes that span two segments, which are copied. A length is checked against the remaining bytes before anything is
/// allocated for it. Pass it by reference: a copy keeps its position. Errors: every method throws
/// <see cref="MessagePackException"/>, after which the reader must not be used. Not thread-safe. Source: the MessagePack specification.
/// </remarks>
public ref struct MessagePackReader
{
    private readonly MessagePackLimits _limits;
    private readonly int _maxBytes;
    private readonly int _maxItems;
    private ReadOnlySpan<byte> _span;
    private int _at;
    private int _room;
    private readonly ReadOnlySequence<byte> _input;
    private SequencePosition _next;
    private long _before;
    private long _after;

    /// <summary>Reads a span.</summary>
    /// <param name="input">The bytes.</param>
    /// <param name="limits">The limits; null for <see cref="MessagePackLimits.Default"/>.</param>
    public MessagePackReader(ReadOnlySpan<byte> input, MessagePackLimits? limits = null)
    {
        _limits = limits ?? MessagePackLimits.Default;
        _room = _limits.MaxDepth;
        _maxBytes = _limits.MaxBytes;
        _maxItems = _limits.MaxItems;
        _span = input;
    }

    /// <summary>Reads a sequence.</summary>
    /// <param name="input">The bytes.</param>
    /// <param name="limits">The limits; null for <see cref="MessagePackLimits.Default"/>.</param>
    public MessagePackReader(in ReadOnlySequence<byte> input, MessagePackLimits? limits = null)
        : this(input.FirstSpan, limits)
    {
        if (input.IsSingleSegment)
            return;
        _input = input;
        _next = input.Start;
        _input.TryGet(ref _next, out _);
        _after = input.Length - _span.Length;
    }

    /// <summary>The number of bytes read so far: the position of the next value.</summary>
    public readonly long Consumed => _before + _at;

    /// <summary>The number of bytes not read yet.</summary>
    public readonly long Remaining => _span.Length - _at + _after;

    /// <summary>Whether all bytes have been read.</summary>
    public readonly bool IsAtEnd => Remaining == 0;

    /// <summary>The type of the next value, without reading it.</summary>
    public MessagePackType PeekType() => MessagePackCode.TypeOf(PeekCode());

    /// <summary>The first byte of the next value, without reading it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte PeekCode() => (uint)_at < (uint)_span.Length ? _span[_at] : NextSegment();

    /// <summary>Enters an object or a collection; <see cref="Ascend"/> leaves it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Descend()
    {
        if (--_room < 0)
            ThrowHelper.TooDeep(Consumed, _limits.MaxDepth);
    }

    /// <summary>Leaves the object or collection entered by <see cref="Descend"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Ascend() => _room++;

    /// <summary>Reads the next value if it is nil.</summary>
    /// <returns>True if it was nil; otherwise nothing is read.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReadNil()
    {
        if (PeekCode() != MessagePackCode.Nil)
            return false;
        _at++;
        return true;
    }

    /// <summary>Reads a boolean.</summary>
    public bool ReadBoolean()
    {
        var code = TakeCode(out var start);
        if (code is not (MessagePackCode.True or MessagePackCode.False))
            ThrowHelper.Unexpected(start, code, "a boolean");
        return code == MessagePackCode.True;
    }

    /// <summary>Reads an integer of 8 bits.</summary>
    public sbyte ReadSByte() => (sbyte)ReadSigned(sbyte.MinValue, sbyte.MaxValue);

    /// <summary>Reads an unsigned integer of 8 bits.</summary>
    public byte ReadByte() => (byte)ReadUnsigned(byte.MaxValue);

    /// <summary>Reads an integer of 16 bits.</summary>
    public short ReadInt16() => (short)ReadSigned(short.MinValue, short.MaxValue);

    /// <summary>Reads an unsigned integer of 16 bits.</summary>
    public ushort ReadUInt16() => (ushort)ReadUnsigned(ushort.MaxValue);

    /// <summary>Reads an integer of 32 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadInt32()
        => (uint)_at < (uint)_span.Length && (sbyte)_span[_at] >= -32 ? (sbyte)_span[_at++] : (int)ReadSigned(int.MinValue, int.MaxValue);

    /// <summary>Reads an unsigned integer of 32 bits.</summary>
    public uint ReadUInt32() => (uint)ReadUnsigned(uint.MaxValue);

    /// <summary>Reads an integer of 64 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadInt64()
        => (uint)_at < (uint)_span.Length && (sbyte)_span[_at] >= -32 ? (sbyte)_span[_at++] : ReadSigned(long.MinValue, long.MaxValue);

    /// <summary>Reads an unsigned integer of 64 bits.</summary>
    public ulong ReadUInt64() => ReadUnsigned(ulong.MaxValue);

    /// <summary>Reads a float of 32 bits; a 64-bit one is rounded, an integer converted.</summary>
    public float ReadSingle()
    {
        if (PeekCode() != MessagePackCode.Float32)
            return (float)ReadDouble();
        _at++;
        return BitConverter.UInt32BitsToSingle((uint)Take(4));
    }

    /// <summary>Reads a float of 64 bits; a 32-bit one or an integer is converted.</summary>
    public double ReadDouble()
    {
        switch (PeekCode())
        {
            case MessagePackCode.Float64:
                _at++;
                return BitConverter.UInt64BitsToDouble(Take(8));
            case MessagePackCode.Float32:
                _at++;
                return BitConverter.UInt32BitsToSingle((uint)Take(4));
            case MessagePackCode.UInt64:
                return ReadUInt64();
            case var code when MessagePackCode.TypeOf(code) == MessagePackType.Integer:
                return ReadInt64();
            case var code:
                ThrowHelper.Unexpected(Consumed, code, "a float");
                return 0;
        }
    }

    /// <summary>Reads text; nil becomes null.</summary>
    public string? ReadString()
    {
        if ((uint)_at >= (uint)_span.Length)
        {
            // The text starts in the next segment.
            if (!IsAtEnd && TryReadNil())
                return null;
        }
        else if (_span[_at] == MessagePackCode.Nil)
        {
            _at++;
            return null;
        }

        var start = Consumed;
        if (!Ascii.TryRead(ReadStringSpan(), out var text))
            ThrowHelper.InvalidText(start);
        return text;
    }

    /// <summary>Reads the UTF-8 bytes of text without validating them.</summary>
    /// <returns>A slice of the input; a copy if the text spans two segments.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> ReadStringSpan()
    {
        // Short text in one segment: the header is one or two bytes, and its length is read without a table of cases.
        var left = _span.Length - _at;
        if (left > 1)
        {
            ref var at = ref Unsafe.Add(ref MemoryMarshal.GetReference(_span), _at);
            var header = at == MessagePackCode.String8 ? 2 : 1;
            var length = at == MessagePackCode.String8 ? Unsafe.Add(ref at, 1) : at & 0x1F;
            if ((header == 2 || (at & 0xE0) == MessagePackCode.FixString) && length <= left - header && length <= _maxBytes)
            {
                var bytes = MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref at, header), length);
                _at += header + length;
                return bytes;
            }
        }

        return ReadLongStringSpan();
    }

    /// <summary>Reads bytes; nil becomes null.</summary>
    public byte[]? ReadBinary() => TryReadNil() ? null : ReadBinarySpan().ToArray();

    /// <summary>Reads bytes.</summary>
    /// <returns>A slice of the input; a copy if they span two segments.</returns>
    public ReadOnlySpan<byte> ReadBinarySpan()
    {
        var start = Consumed;
        return TakeBytes(start, "Binary", (uint)ReadBinaryLength());
    }

    /// <summary>Reads the header of an array.</summary>
    /// <returns>Number of values that follow; each takes at least one byte, so it is at most <see cref="Remaining"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadArrayHeader()
    {
        if ((uint)_at < (uint)_span.Length && (_span[_at] & 0xF0) == MessagePackCode.FixArray)
        {
            var count = _span[_at] & 0x0F;
            if (count < _span.Length - _at && count <= _maxItems)
            {
                _at++;
                return count;
            }
        }

        return ReadWideHeader("An array", "an array", MessagePackCode.FixArray, MessagePackCode.Array16, MessagePackCode.Array32, 1);
    }

    /// <summary>Reads the header of a map.</summary>
    /// <returns>Number of pairs that follow; each takes at least two bytes, so it is at most half of <see cref="Remaining"/>.</returns>
    public int ReadMapHeader() => ReadWideHeader("A map", "a map", MessagePackCode.FixMap, MessagePackCode.Map16, MessagePackCode.Map32, 2);

    /// <summary>Reads the header of an extension.</summary>
    /// <returns>Type and length; that many bytes follow, to be read by <see cref="ReadRaw"/>.</returns>
    public MessagePackExtensionHeader ReadExtensionHeader()
    {
        var code = TakeCode(out var start);
        var length = code switch
        {
            MessagePackCode.FixExtension1 => 1u,
            MessagePackCode.FixExtension2 => 2u,
            MessagePackCode.FixExtension4 => 4u,
            MessagePackCode.FixExtension8 => 8u,
            MessagePackCode.FixExtension16 => 16u,
            MessagePackCode.Extension8 => (uint)Take(1),
            MessagePackCode.Extension16 => (uint)Take(2),
            MessagePackCode.Extension32 => (uint)Take(4),
            _ => Wrong(start, code, "an extension"),
        };
        var type = unchecked((sbyte)Take(1));
        CheckLength(start, "An extension", length);
        return new(type, (int)length);
    }

    /// <summary>Reads a timestamp extension.</summary>
    public MessagePackTimestamp ReadTimestamp() => Timestamps.Read(ref this);

    /// <summary>Reads raw bytes, such as those announced by an extension's header.</summary>
    /// <param name="length">How many.</param>
    /// <returns>A slice of the input; a copy if they span two segments.</returns>
    public ReadOnlySpan<byte> ReadRaw(int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        return TakeBytes(Consumed, "Data", (uint)length);
    }

    /// <summary>Skips the next value with its contents, however deep.</summary>
    public void Skip() => Skip(1);

    /// <summary>Skips values with their contents.</summary>
    /// <param name="count">The number of bytes.</param>
    public void Skip(int count) => ValueSkipper.Skip(ref this, count);

    /// <summary>Returns the next bytes in one span, if this segment has that many; nothing is consumed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly bool TryPeek(int bytes, out ReadOnlySpan<byte> found)
    {
        var isThere = _span.Length - _at >= bytes;
        found = isThere ? MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref MemoryMarshal.GetReference(_span), _at), bytes) : default;
        return isThere;
    }

    /// <summary>Consumes bytes that <see cref="TryPeek"/> returned.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Pass(int bytes) => _at += bytes;

    private byte TakeCode(out long start)
    {
        var code = PeekCode();
        start = Consumed;
        _at++;
        return code;
    }

    private long ReadSigned(long least, long most)
    {
        var code = TakeCode(out var start);
        long value;
        switch (code)
        {
            case <= MessagePackCode.MaxFixInt or >= MessagePackCode.MinNegativeFixInt: value = (sbyte)code; break;
            case MessagePackCode.UInt8: value = (long)Take(1); break;
            case MessagePackCode.UInt16: value = (long)Take(2); break;
            case MessagePackCode.UInt32: value = (long)Take(4); break;
            case MessagePackCode.Int8: value = (sbyte)Take(1); break;
            case MessagePackCode.Int16: value = (short)Take(2); break;
            case MessagePackCode.Int32: value = (int)Take(4); break;
            case MessagePackCode.Int64: value = (long)Take(8); break;
            case MessagePackCode.UInt64:
                var large = Take(8);
                if (large > long.MaxValue)
                    ThrowHelper.OutOfRange(start, $"{large}", $"{least}", $"{most}");
                value = (long)large;
                break;
            default:
                value = Wrong(start, code, "an integer");
                break;
        }

        if (value < least || value > most)
            ThrowHelper.OutOfRange(start, $"{value}", $"{least}", $"{most}");
        return value;
    }

    private ulong ReadUnsigned(ulong most)
    {
        if ((uint)_at < (uint)_span.Length && _span[_at] <= MessagePackCode.MaxFixInt)
            return _span[_at++];

        ulong value;
        var start = Consumed;
        if (PeekCode() == MessagePackCode.UInt64)
        {
            _at++;
            value = Take(8);
        }
        else
        {
            var signed = ReadSigned(long.MinValue, long.MaxValue);
            if (signed < 0)
                ThrowHelper.OutOfRange(start, $"{signed}", "0", $"{most}");
            value = (ulong)signed;
        }

        if (value > most)
            ThrowHelper.OutOfRange(start, $"{value}", "0", $"{most}");
        return value;
    }

    private int ReadWideHeader(string what, string expected, byte fix, byte code16, byte code32, int minBytes)
    {
        var code = TakeCode(out var start);
        var count = (code & 0xF0) == fix ? (uint)(code & 0x0F)
            : code == code16 ? (uint)Take(2)
            : code == code32 ? (uint)Take(4)
            : Wrong(start, code, expected);
        if (count * (long)minBytes > Remaining)
            ThrowHelper.LengthBeyondInput(start, what, count, Remaining);
        if (count > (uint)_maxItems)
            ThrowHelper.TooLong(start, what, count, nameof(MessagePackLimits.MaxItems), _maxItems);
        return (int)count;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ReadOnlySpan<byte> ReadLongStringSpan()
    {
        var start = Consumed;
        return TakeBytes(start, "A string", (uint)ReadStringLength());
    }

    internal int ReadStringLength()
    {
        var code = TakeCode(out var start);
        var length = (code & 0xE0) == MessagePackCode.FixString ? (uint)(code & 0x1F) : code switch
        {
            MessagePackCode.String8 => (uint)Take(1),
            MessagePackCode.String16 => (uint)Take(2),
            MessagePackCode.String32 => (uint)Take(4),
            _ => Wrong(start, code, "a string"),
        };
        CheckLength(start, "A string", length);
        return (int)length;
    }

    internal int ReadBinaryLength()
    {
        var code = TakeCode(out var start);
        var length = code switch
        {
            MessagePackCode.Binary8 => (uint)Take(1),
            MessagePackCode.Binary16 => (uint)Take(2),
            MessagePackCode.Binary32 => (uint)Take(4),
            _ => Wrong(start, code, "binary"),
        };
        CheckLength(start, "Binary", length);
        return (int)length;
    }

    private readonly void CheckLength(long start, string what, uint length)
    {
        if (length > Remaining)
            ThrowHelper.LengthBeyondInput(start, what, length, Remaining);
        if (length > (uint)_maxBytes)
            ThrowHelper.TooLong(start, what, length, nameof(MessagePackLimits.MaxBytes), _maxBytes);
    }

    private ReadOnlySpan<byte> TakeBytes(long start, string what, uint length)
    {
        CheckLength(start, what, length);
        if (!TryPeek((int)length, out var bytes))
            return TakeAcross((int)length);
        _at += (int)length;
        return bytes;
    }

    /// <summary>The next bytes as a big-endian number.</summary>
    internal ulong Take(int bytes)
    {
        if (!TryPeek(bytes, out var span))
            return TakeNumberAcross(bytes);
        _at += bytes;
        return bytes switch
        {
            1 => span[0],
            2 => BinaryPrimitives.ReadUInt16BigEndian(span),
            4 => BinaryPrimitives.ReadUInt32BigEndian(span),
            _ => BinaryPrimitives.ReadUInt64BigEndian(span),
        };
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ulong TakeNumberAcross(int bytes)
    {
        ulong value = 0;
        for (var i = 0; i < bytes; i++)
        {
            value = (value << 8) | PeekCode();
            _at++;
        }

        return value;
    }

    private ReadOnlySpan<byte> TakeAcross(int length)
    {
        var copy = new byte[length];
        for (var filled = 0; filled < length;)
        {
            PeekCode();
            var part = Math.Min(length - filled, _span.Length - _at);
            BulkCopy.Copy(_span.Slice(_at, part), copy.AsSpan(filled));
            _at += part;
            filled += part;
        }

        return copy;
    }

    internal void SkipBytes(int length)
    {
        while (length > 0)
        {
            PeekCode();
            var part = Math.Min(length, _span.Length - _at);
            _at += part;
            length -= part;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private byte NextSegment()
    {
        while (_after > 0)
        {
            _before += _span.Length;
            _at = 0;
            _input.TryGet(ref _next, out var segment);
            _span = segment.Span;
            _after -= _span.Length;
            if (_span.Length > 0)
                return _span[0];
        }

        ThrowHelper.EndOfInput(Consumed);
        return 0;
    }

    private static uint Wrong(long start, byte code, string expected)
    {
        ThrowHelper.Unexpected(start, code, expected);
        return 0;
    }
}
