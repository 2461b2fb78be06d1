using System.Buffers.Binary;
using System.Numerics;

namespace Postrider.Broker.Compression;

/// <summary>One block of Snappy, and of its superset S2, which adds repeated offsets.</summary>
/// <remarks>Shape: the length of the plain bytes as a base-128 number, then elements: literals and copies of what came before.
/// Thread-safe: no state. Source: Snappy format description; S2 is what klauspost/compress writes.</remarks>
internal static class S2Block
{
    /// <summary>Maximum number of plain bytes of a block that <see cref="Encode"/> writes.</summary>
    public const int MaxPlainBytes = 65_536;

    /// <summary>Slots of the working memory of <see cref="Encode"/>.</summary>
    public const int TableSlots = 1 << MaxTableBits;

    /// <summary>Minimum length of a match in bytes.</summary>
    public const int ShortestMatch = 4;

    /// <summary>Bytes at the end of the block where no match is searched, so that a read of four bytes stays inside.</summary>
    public const int Margin = 15;

    // Short inputs use a small table: clearing the large one would cost more than compressing them.
    private const int MaxTableBits = 14;
    private const int MinTableBits = 8;

    // The longest copy that a three-byte element describes, and the limits of two-byte elements: offsets below 2048.
    private const int LongestCopy = 64;
    private const int LongestNearCopy = 11;
    private const int NearBytes = 2048;

    // After 32 bytes without a match the steps grow, so that incompressible data is skipped quickly.
    private const int FirstSkip = 32;
    private const int SkipShift = 5;

    // A two-byte copy has an offset of 11 bits; offset 0 repeats the last offset, and its length field says how many bytes follow.
    private const int LengthInOneByte = 5;
    private const int LengthInTwoBytes = 6;
    private const int LengthInThreeBytes = 7;

    /// <summary>Maximum number of bytes that <see cref="Encode"/> writes for so many plain bytes.</summary>
    public static int MaxEncodedBytes(int plainBytes) => 32 + plainBytes + (plainBytes / 6);

    /// <summary>Reads the length of a block's plain bytes.</summary>
    /// <param name="source">The block; moved past the number.</param>
    /// <param name="length">The length.</param>
    public static bool TryReadLength(ref ReadOnlySpan<byte> source, out int length)
    {
        length = 0;
        for (var shift = 0; shift < 32 && !source.IsEmpty; shift += 7)
        {
            var next = source[0];
            source = source[1..];
            length |= (next & 0x7F) << shift;
            if (next < 0x80) return length >= 0;
        }

        return false;
    }

    /// <summary>Reads a block's elements.</summary>
    /// <param name="source">The block after its length.</param>
    /// <param name="target">Exactly as long as the plain bytes.</param>
    /// <returns>False when the elements do not yield exactly that many bytes.</returns>
    public static bool TryDecode(ReadOnlySpan<byte> source, Span<byte> target)
    {
        var written = 0;
        var offset = 0;
        while (!source.IsEmpty)
        {
            var isLiteral = (source[0] & 3) == 0;
            if (isLiteral ? !TryReadLiteral(ref source, out var length) : !TryReadCopy(ref source, ref offset, out length)) return false;
            if (length > target.Length - written) return false;
            if (isLiteral)
            {
                if (length > source.Length) return false;
                source[..length].CopyTo(target[written..]);
                source = source[length..];
            }
            else
            {
                if (offset <= 0 || offset > written) return false;
                Repeat(target, written, offset, length);
            }

            written += length;
        }

        return written == target.Length;
    }

    /// <summary>Encodes a block.</summary>
    /// <param name="plain">At most <see cref="MaxPlainBytes"/>.</param>
    /// <param name="target">At least <see cref="MaxEncodedBytes"/>.</param>
    /// <param name="table">Working memory of at least <see cref="TableSlots"/>; the part in use is cleared here.</param>
    /// <returns>Bytes written.</returns>
    public static int Encode(ReadOnlySpan<byte> plain, Span<byte> target, Span<ushort> table)
    {
        table = table[..(1 << Math.Clamp(BitOperations.Log2((uint)plain.Length | 1) + 1, MinTableBits, MaxTableBits))];
        table.Clear();
        var written = WriteLength(target, plain.Length);
        var literal = 0;
        var at = 1;
        while (TryFindMatch(plain, table, ref at, out var candidate))
        {
            written += WriteLiteral(target[written..], plain[literal..at]);
            var offset = at - candidate;
            var length = ShortestMatch + plain[(at + ShortestMatch)..].CommonPrefixLength(plain[(candidate + ShortestMatch)..]);
            written += WriteCopies(target[written..], offset, length);
            at += length;
            literal = at;
        }

        return written + WriteLiteral(target[written..], plain[literal..]);
    }

    /// <summary>Writes the length that a block begins with.</summary>
    public static int WriteLength(Span<byte> target, int length)
    {
        var written = 0;
        for (; length >= 0x80; length >>= 7) target[written++] = (byte)(length | 0x80);
        target[written++] = (byte)length;
        return written;
    }

    /// <summary>Writes a literal: bytes as they are.</summary>
    public static int WriteLiteral(Span<byte> target, ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty) return 0;
        var number = bytes.Length - 1;
        var head = 1;
        if (number < 60)
        {
            target[0] = (byte)(number << 2);
        }
        else
        {
            head += (BitOperations.Log2((uint)number) / 8) + 1;
            target[0] = (byte)((58 + head) << 2);
            for (var i = 1; i < head; i++) target[i] = (byte)(number >> (8 * (i - 1)));
        }

        bytes.CopyTo(target[head..]);
        return head + bytes.Length;
    }

    /// <summary>Whether a copy needs two bytes; others need three bytes per 64.</summary>
    public static bool IsNear(int offset, int length) => offset < NearBytes && length is >= ShortestMatch and <= LongestNearCopy;

    /// <summary>Writes copy elements.</summary>
    /// <param name="target">Room for three bytes per 64 bytes copied.</param>
    /// <param name="offset">Distance back to the bytes to copy: 1 to 65535.</param>
    /// <param name="length">Number of bytes to copy.</param>
    public static int WriteCopies(Span<byte> target, int offset, int length)
    {
        var written = 0;
        while (length > 0)
        {
            if (IsNear(offset, length))
            {
                target[written] = (byte)(1 | ((length - ShortestMatch) << 2) | ((offset >> 8) << 5));
                target[written + 1] = (byte)offset;
                return written + 2;
            }

            var part = Math.Min(length, LongestCopy);
            target[written] = (byte)(2 | ((part - 1) << 2));
            BinaryPrimitives.WriteUInt16LittleEndian(target[(written + 1)..], (ushort)offset);
            written += 3;
            length -= part;
        }

        return written;
    }

    private static bool TryFindMatch(ReadOnlySpan<byte> plain, Span<ushort> table, ref int at, out int candidate)
    {
        candidate = 0;
        var shift = 32 - BitOperations.Log2((uint)table.Length);
        var skip = FirstSkip;
        while (at + Margin < plain.Length)
        {
            var word = BinaryPrimitives.ReadUInt32LittleEndian(plain[at..]);
            var slot = (int)((word * 0x1E35A7BD) >> shift);
            candidate = table[slot];
            table[slot] = (ushort)at;
            if (candidate < at && word == BinaryPrimitives.ReadUInt32LittleEndian(plain[candidate..])) return true;
            at += skip++ >> SkipShift;
        }

        return false;
    }

    private static bool TryReadLiteral(ref ReadOnlySpan<byte> source, out int length)
    {
        length = source[0] >> 2;
        source = source[1..];
        if (length >= 60 && !TryReadNumber(ref source, length - 59, out length)) return false;
        return ++length > 0;
    }

    private static bool TryReadCopy(ref ReadOnlySpan<byte> source, ref int offset, out int length)
    {
        var tag = source[0];
        source = source[1..];
        if ((tag & 3) != 1)
        {
            length = 1 + (tag >> 2);
            return TryReadNumber(ref source, (tag & 3) == 2 ? 2 : 4, out offset);
        }

        length = (tag >> 2) & 7;
        if (source.IsEmpty) return false;
        var near = ((tag & 0xE0) << 3) | source[0];
        source = source[1..];
        if (near != 0)
        {
            offset = near;
        }
        else if (length >= LengthInOneByte)
        {
            var (bytes, more) = length switch
            {
                LengthInOneByte => (1, 4),
                LengthInTwoBytes => (2, 1 << 8),
                _ => (LengthInThreeBytes - 4, 1 << 16),
            };
            if (!TryReadNumber(ref source, bytes, out length)) return false;
            length += more;
        }

        length += ShortestMatch;
        return true;
    }

    private static bool TryReadNumber(ref ReadOnlySpan<byte> source, int bytes, out int number)
    {
        number = 0;
        if (source.Length < bytes) return false;
        for (var i = 0; i < bytes; i++) number |= source[i] << (8 * i);
        source = source[bytes..];
        return number >= 0;
    }

    private static void Repeat(Span<byte> target, int at, int offset, int length)
    {
        if (offset >= length)
        {
            target.Slice(at - offset, length).CopyTo(target[at..]);
            return;
        }

        for (var end = at + length; at < end; at++) target[at] = target[at - offset];
    }
}
