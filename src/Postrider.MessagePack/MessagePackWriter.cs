// Hot path: generated formatter -> this -> the caller's buffer. Allocations: none.
using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Postrider.Memory;

namespace Postrider.MessagePack;

/// <summary>Writes MessagePack values to a buffer writer, each in its shortest form.</summary>
/// <remarks>
/// Shape: bytes are written to the span that the buffer writer returned; <see cref="Flush"/> commits what was written, and has to be
/// called once at the end. Pass it by reference: a copy would overwrite what the original wrote.
/// Not thread-safe. Source: the MessagePack specification; the timestamp extension, section "Timestamp extension type".
/// </remarks>
public ref struct MessagePackWriter
{
    // The longest header of a number: a code and eight bytes.
    private const int ScalarBytes = 9;

    // Up to this length, three bytes per character are reserved and the text is converted directly; longer text is counted first.
    private const int ShortText = 1024;

    // The minimum request, so that a buffer writer that returns no more than required is not called for every value.
    private const int MinSpanBytes = 512;

    private readonly IBufferWriter<byte> _target;
    private readonly int _maxDepth;
    private Span<byte> _span;
    private int _at;
    private int _depth;
    private long _flushed;

    /// <summary>Writes to a buffer writer.</summary>
    /// <param name="target">Receives the bytes.</param>
    /// <param name="limits">Only <see cref="MessagePackLimits.MaxDepth"/> applies here.</param>
    public MessagePackWriter(IBufferWriter<byte> target, MessagePackLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(target);
        _target = target;
        _maxDepth = (limits ?? MessagePackLimits.Default).MaxDepth;
        _span = target.GetSpan();
    }

    /// <summary>Bytes written so far.</summary>
    public readonly long Written => _flushed + _at;

    /// <summary>Commits what was written; the writer can be used further.</summary>
    public void Flush()
    {
        if (_at == 0)
            return;
        _target.Advance(_at);
        _flushed += _at;
        _at = 0;
        _span = default;
    }

    /// <summary>Enters an object or a collection; <see cref="Ascend"/> leaves it.</summary>
    /// <exception cref="MessagePackException">Deeper than the limit: <see cref="MessagePackError.TooDeep"/>.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Descend()
    {
        if (++_depth > _maxDepth)
            ThrowHelper.TooDeep(-1, _maxDepth);
    }

    /// <summary>Leaves the object or collection entered by <see cref="Descend"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Ascend() => _depth--;

    /// <summary>Writes nil.</summary>
    public void WriteNil() => WriteByte(MessagePackCode.Nil);

    /// <summary>Writes a boolean.</summary>
    /// <param name="value">The value.</param>
    public void Write(bool value) => WriteByte(value ? MessagePackCode.True : MessagePackCode.False);

    /// <summary>Writes an integer.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(int value)
    {
        if (value is >= -32 and <= MessagePackCode.MaxFixInt)
            WriteByte((byte)value);
        else
            WriteLong(value);
    }

    /// <summary>Writes an integer.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(long value)
    {
        if (value is >= -32 and <= MessagePackCode.MaxFixInt)
            WriteByte((byte)value);
        else
            WriteLong(value);
    }

    /// <summary>Writes an integer.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ulong value)
    {
        if (value <= MessagePackCode.MaxFixInt)
            WriteByte((byte)value);
        else
            WriteUnsigned(value);
    }

    /// <summary>Writes a 32-bit float.</summary>
    /// <param name="value">The value.</param>
    public void Write(float value)
    {
        ref var at = ref Reserve(5);
        at = MessagePackCode.Float32;
        WriteBigEndian(ref Unsafe.Add(ref at, 1), BitConverter.SingleToUInt32Bits(value));
        _at += 5;
    }

    /// <summary>Writes a 64-bit float.</summary>
    /// <param name="value">The value.</param>
    public void Write(double value)
    {
        ref var at = ref Reserve(9);
        at = MessagePackCode.Float64;
        WriteBigEndian(ref Unsafe.Add(ref at, 1), BitConverter.DoubleToUInt64Bits(value));
        _at += 9;
    }

    /// <summary>Writes text as UTF-8, null as nil.</summary>
    /// <param name="value">The text; an unpaired surrogate becomes U+FFFD.</param>
    public void Write(string? value)
    {
        if (value is null)
            WriteNil();
        else
            Write(value.AsSpan());
    }

    /// <summary>Writes text as UTF-8.</summary>
    /// <param name="value">The text; an unpaired surrogate becomes U+FFFD.</param>
    public void Write(scoped ReadOnlySpan<char> value)
    {
        if (value.Length > ShortText)
        {
            WriteLongText(value);
            return;
        }

        // The header's size assumes one byte per character: correct if all of them are ASCII.
        ref var at = ref Reserve((value.Length * 3) + 3);
        var header = StringHeader(ref at, value.Length);
        if (Ascii.TryNarrow(value, ref Unsafe.Add(ref at, header)))
            _at += header + value.Length;
        else
            WriteUtf8(value);
    }

    /// <summary>Writes text that is already UTF-8, without validating it.</summary>
    /// <param name="utf8">The bytes.</param>
    public void WriteString(scoped ReadOnlySpan<byte> utf8)
    {
        ref var at = ref Reserve(5);
        _at += StringHeader(ref at, utf8.Length);
        WriteRaw(utf8);
    }

    /// <summary>Writes bytes.</summary>
    /// <param name="value">The bytes.</param>
    public void WriteBinary(scoped ReadOnlySpan<byte> value)
    {
        WriteBinaryHeader(value.Length);
        WriteRaw(value);
    }

    /// <summary>Writes the header of bytes that follow by <see cref="WriteRaw"/>.</summary>
    /// <param name="length">How many.</param>
    public void WriteBinaryHeader(int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ref var at = ref Reserve(ScalarBytes);
        _at += Header(ref at, (uint)length, MessagePackCode.Binary8, MessagePackCode.Binary16, MessagePackCode.Binary32);
    }

    /// <summary>Writes the header of an array; that many values have to follow.</summary>
    /// <param name="count">The number of values.</param>
    public void WriteArrayHeader(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        if (count < 16)
            WriteByte((byte)(MessagePackCode.FixArray | count));
        else
            WriteWideHeader((uint)count, MessagePackCode.Array16, MessagePackCode.Array32);
    }

    /// <summary>Writes the header of a map; twice as many values have to follow, each key before its value.</summary>
    /// <param name="count">The number of pairs.</param>
    public void WriteMapHeader(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        if (count < 16)
            WriteByte((byte)(MessagePackCode.FixMap | count));
        else
            WriteWideHeader((uint)count, MessagePackCode.Map16, MessagePackCode.Map32);
    }

    /// <summary>Writes an extension.</summary>
    /// <param name="type">The type code.</param>
    /// <param name="data">Its bytes.</param>
    public void WriteExtension(sbyte type, scoped ReadOnlySpan<byte> data)
    {
        WriteExtensionHeader(new(type, data.Length));
        WriteRaw(data);
    }

    /// <summary>Writes the header of an extension whose bytes follow with <see cref="WriteRaw"/>.</summary>
    /// <param name="header">Type and length.</param>
    public void WriteExtensionHeader(MessagePackExtensionHeader header)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(header.Length, nameof(header));
        ref var at = ref Reserve(ScalarBytes);
        var size = 1;
        switch (header.Length)
        {
            case 1: at = MessagePackCode.FixExtension1; break;
            case 2: at = MessagePackCode.FixExtension2; break;
            case 4: at = MessagePackCode.FixExtension4; break;
            case 8: at = MessagePackCode.FixExtension8; break;
            case 16: at = MessagePackCode.FixExtension16; break;
            default: size = Header(ref at, (uint)header.Length, MessagePackCode.Extension8, MessagePackCode.Extension16, MessagePackCode.Extension32); break;
        }

        Unsafe.Add(ref at, size) = (byte)header.Type;
        _at += size + 1;
    }

    /// <summary>Writes a timestamp extension, in 32, 64 or 96 bits as needed.</summary>
    /// <param name="value">The timestamp.</param>
    /// <exception cref="ArgumentOutOfRangeException">The nanoseconds are a second or more.</exception>
    public void Write(MessagePackTimestamp value)
    {
        if (value.Nanoseconds > MessagePackTimestamp.MaxNanoseconds)
            throw new ArgumentOutOfRangeException(nameof(value), value, "A timestamp must have fewer than 1,000,000,000 nanoseconds.");
        if ((ulong)value.Seconds >> 34 != 0)
        {
            WriteExtensionHeader(new(MessagePackTimestamp.ExtensionType, 12));
            ref var wide = ref Reserve(12);
            WriteBigEndian(ref wide, value.Nanoseconds);
            WriteBigEndian(ref Unsafe.Add(ref wide, 4), (ulong)value.Seconds);
            _at += 12;
            return;
        }

        var packed = ((ulong)value.Nanoseconds << 34) | (ulong)value.Seconds;
        ref var at = ref Reserve(10);
        var isShort = packed >> 32 == 0;
        at = isShort ? MessagePackCode.FixExtension4 : MessagePackCode.FixExtension8;
        Unsafe.Add(ref at, 1) = unchecked((byte)MessagePackTimestamp.ExtensionType);
        if (isShort)
            WriteBigEndian(ref Unsafe.Add(ref at, 2), (uint)packed);
        else
            WriteBigEndian(ref Unsafe.Add(ref at, 2), packed);
        _at += isShort ? 6 : 10;
    }

    /// <summary>Writes raw bytes: a value that is already MessagePack, or the content after a header.</summary>
    /// <param name="bytes">The bytes; they are not validated.</param>
    public void WriteRaw(scoped ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > _span.Length - _at)
        {
            var part = _span.Length - _at;
            BulkCopy.Copy(bytes[..part], _span[_at..]);
            _at += part;
            bytes = bytes[part..];
            Grow(Math.Min(bytes.Length, MinSpanBytes));
        }

        BulkCopy.Copy(bytes, _span[_at..]);
        _at += bytes.Length;
    }

    /// <summary>Room for bytes that <see cref="Wrote"/> accounts for.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte Reserve(int bytes)
    {
        if (_span.Length - _at < bytes)
            Grow(bytes);
        return ref Unsafe.Add(ref MemoryMarshal.GetReference(_span), _at);
    }

    /// <summary>Records bytes written at the position of <see cref="Reserve"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Wrote(int bytes) => _at += bytes;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteByte(byte value)
    {
        Reserve(1) = value;
        _at++;
    }

    private void WriteLong(long value)
    {
        if (value >= 0)
        {
            WriteUnsigned((ulong)value);
            return;
        }

        ref var at = ref Reserve(ScalarBytes);
        ref var number = ref Unsafe.Add(ref at, 1);
        switch (value)
        {
            case >= sbyte.MinValue:
                at = MessagePackCode.Int8;
                number = (byte)value;
                _at += 2;
                break;
            case >= short.MinValue:
                at = MessagePackCode.Int16;
                WriteBigEndian(ref number, (ushort)value);
                _at += 3;
                break;
            case >= int.MinValue:
                at = MessagePackCode.Int32;
                WriteBigEndian(ref number, (uint)value);
                _at += 5;
                break;
            default:
                at = MessagePackCode.Int64;
                WriteBigEndian(ref number, (ulong)value);
                _at += 9;
                break;
        }
    }

    private void WriteUnsigned(ulong value)
    {
        ref var at = ref Reserve(ScalarBytes);
        if (value > uint.MaxValue)
        {
            at = MessagePackCode.UInt64;
            WriteBigEndian(ref Unsafe.Add(ref at, 1), value);
            _at += 9;
        }
        else
        {
            _at += Header(ref at, (uint)value, MessagePackCode.UInt8, MessagePackCode.UInt16, MessagePackCode.UInt32);
        }
    }

    private void WriteWideHeader(uint count, byte code16, byte code32)
        => _at += Header(ref Reserve(ScalarBytes), count, code16: code16, code32: code32, code8: 0);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteUtf8(scoped ReadOnlySpan<char> value)
    {
        var bytes = Encoding.UTF8.GetByteCount(value);
        ref var at = ref Reserve(bytes + 5);
        _at += StringHeader(ref at, bytes);
        _at += Encoding.UTF8.GetBytes(value, _span[_at..]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteLongText(scoped ReadOnlySpan<char> value)
    {
        if ((long)value.Length * 3 > int.MaxValue - 5)
            ThrowHelper.TextTooLong((long)value.Length * 3);
        WriteUtf8(value);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int bytes)
    {
        Flush();
        _span = _target.GetSpan(Math.Max(bytes, MinSpanBytes));
    }

    private static int StringHeader(ref byte at, int length)
    {
        if (length < 32)
        {
            at = (byte)(MessagePackCode.FixString | length);
            return 1;
        }

        return Header(ref at, (uint)length, MessagePackCode.String8, MessagePackCode.String16, MessagePackCode.String32);
    }

    /// <summary>Writes a code and a length in one, two or four bytes; a code8 of 0 means that there is no such form.</summary>
    private static int Header(ref byte at, uint length, byte code8, byte code16, byte code32)
    {
        ref var number = ref Unsafe.Add(ref at, 1);
        if (length <= byte.MaxValue && code8 != 0)
        {
            at = code8;
            number = (byte)length;
            return 2;
        }

        if (length <= ushort.MaxValue)
        {
            at = code16;
            WriteBigEndian(ref number, (ushort)length);
            return 3;
        }

        at = code32;
        WriteBigEndian(ref number, length);
        return 5;
    }

    private static void WriteBigEndian(ref byte at, ushort value)
        => Unsafe.WriteUnaligned(ref at, BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value) : value);

    private static void WriteBigEndian(ref byte at, uint value)
        => Unsafe.WriteUnaligned(ref at, BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value) : value);

    private static void WriteBigEndian(ref byte at, ulong value)
        => Unsafe.WriteUnaligned(ref at, BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value) : value);
}
