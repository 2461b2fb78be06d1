using System.Buffers;
using System.Buffers.Binary;

namespace Postrider.Broker.Compression;

/// <summary>Makes shorter blocks than <see cref="S2Block.Encode"/> in more time: it takes the best match of several earlier positions.</summary>
/// <remarks>Thread-safe: no state. Positions with the same hash are linked from the last one to the first.</remarks>
internal static class S2ChainEncoder
{
    private const int TableBits = 14;
    private const int TableSlots = 1 << TableBits;

    // Matches of this length are taken without looking further.
    private const int GoodMatch = 64;

    // After 2 to the power of this many bytes without a match, the steps grow.
    private const int SkipShift = 8;

    /// <summary>Encodes a block.</summary>
    /// <param name="plain">At most <see cref="S2Block.MaxPlainBytes"/>.</param>
    /// <param name="target">At least <see cref="S2Block.MaxEncodedBytes"/>.</param>
    /// <param name="depth">Maximum number of earlier positions to compare, 1 or more.</param>
    /// <returns>Bytes written.</returns>
    public static int Encode(ReadOnlySpan<byte> plain, Span<byte> target, int depth)
    {
        var rented = ArrayPool<ushort>.Shared.Rent(TableSlots + S2Block.MaxPlainBytes);
        var last = rented.AsSpan(0, TableSlots);
        var earlier = rented.AsSpan(TableSlots);
        last.Clear();
        var written = Encode(plain, target, last, earlier, depth);
        ArrayPool<ushort>.Shared.Return(rented);
        return written;
    }

    private static int Encode(ReadOnlySpan<byte> plain, Span<byte> target, Span<ushort> last, Span<ushort> earlier, int depth)
    {
        var written = S2Block.WriteLength(target, plain.Length);
        var literal = 0;
        // Position 0 means no position.
        var at = 1;
        while (at + S2Block.Margin < plain.Length)
        {
            var length = Find(plain, at, last, earlier, depth, out var place);
            Link(plain, at, last, earlier);
            if (length < S2Block.ShortestMatch)
            {
                at += 1 + ((at - literal) >> SkipShift);
                continue;
            }

            // A longer match one byte later is worth a literal of one byte.
            while (length < GoodMatch && at + 1 + S2Block.Margin < plain.Length)
            {
                var next = Find(plain, at + 1, last, earlier, depth, out var nextPlace);
                if (Gain(next, at + 1 - nextPlace) <= Gain(length, at - place) + 1) break;
                (at, length, place) = (at + 1, next, nextPlace);
                Link(plain, at, last, earlier);
            }

            written += S2Block.WriteLiteral(target[written..], plain[literal..at]);
            written += S2Block.WriteCopies(target[written..], at - place, length);
            var end = Math.Min(at + length, plain.Length - S2Block.Margin);
            for (var linked = at + 1; linked < end; linked++) Link(plain, linked, last, earlier);
            at += length;
            literal = at;
        }

        return written + S2Block.WriteLiteral(target[written..], plain[literal..]);
    }

    private static int Find(ReadOnlySpan<byte> plain, int at, Span<ushort> last, Span<ushort> earlier, int depth, out int place)
    {
        place = 0;
        var longest = 0;
        var gain = 0;
        var word = BinaryPrimitives.ReadUInt32LittleEndian(plain[at..]);
        var candidate = (int)last[Slot(word)];
        for (var left = depth; left > 0 && candidate > 0; left--)
        {
            if (BinaryPrimitives.ReadUInt32LittleEndian(plain[candidate..]) == word)
            {
                var length = plain[at..].CommonPrefixLength(plain[candidate..]);
                if (Gain(length, at - candidate) > gain) (longest, place, gain) = (length, candidate, Gain(length, at - candidate));
                if (longest >= GoodMatch) break;
            }

            candidate = earlier[candidate];
        }

        return longest;
    }

    // Bytes that a match saves: of two equally long ones, the nearer one saves more.
    private static int Gain(int length, int offset) => length - (S2Block.IsNear(offset, length) ? 2 : 3);

    private static void Link(ReadOnlySpan<byte> plain, int at, Span<ushort> last, Span<ushort> earlier)
    {
        ref var slot = ref last[Slot(BinaryPrimitives.ReadUInt32LittleEndian(plain[at..]))];
        earlier[at] = slot;
        slot = (ushort)at;
    }

    private static int Slot(uint word) => (int)((word * 0x9E3779B1) >> (32 - TableBits));
}
