using System.Buffers.Binary;
using Postrider.Storage.Records;

namespace Postrider.Storage.Blocks;

/// <summary>The first 64 bytes of a block's file: the same 32 bytes twice, so that no single damage makes a block unreadable.</summary>
/// <param name="Number">The block's number: its name and its position in the order.</param>
/// <param name="Generation">Incremented with every rewrite of the file.</param>
/// <param name="Salt">The seed of the checksums of the store's records.</param>
/// <param name="First">Sequence of slot 0.</param>
/// <param name="Compressed">Whether the file contains frames instead of records.</param>
/// <param name="PrecedingBytes">Length of the block before it when that was full: a block that was never rewritten and is
/// shorter was truncated. 0 when unknown.</param>
/// <remarks>Shape, little-endian: "PRB1" | compressed (1 bit), preceding bytes (31 bits) | number (4) | generation (4) | salt (4) | first (8) | CRC-32C (4).</remarks>
internal readonly record struct BlockHeader(uint Number, uint Generation, uint Salt, ulong First, bool Compressed, int PrecedingBytes = 0)
{
    /// <summary>Bytes before the first record.</summary>
    public const int Bytes = 64;

    private const int CopyBytes = 32;
    private const uint Magic = 0x31425250;
    private const uint CompressedFlag = 1;

    /// <summary>Writes both copies.</summary>
    public void Write(Span<byte> target)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(target, Magic);
        BinaryPrimitives.WriteUInt32LittleEndian(target[4..], ((uint)PrecedingBytes << 1) | (Compressed ? CompressedFlag : 0));
        BinaryPrimitives.WriteUInt32LittleEndian(target[8..], Number);
        BinaryPrimitives.WriteUInt32LittleEndian(target[12..], Generation);
        BinaryPrimitives.WriteUInt32LittleEndian(target[16..], Salt);
        BinaryPrimitives.WriteUInt64LittleEndian(target[20..], First);
        BinaryPrimitives.WriteUInt32LittleEndian(target[28..], Crc32C.Compute(target[..28]));
        target[..CopyBytes].CopyTo(target[CopyBytes..]);
    }

    /// <summary>Reads the first copy that is intact.</summary>
    public static bool TryRead(ReadOnlySpan<byte> source, out BlockHeader header)
        => TryReadCopy(source, out header) || TryReadCopy(source[Math.Min(CopyBytes, source.Length)..], out header);

    private static bool TryReadCopy(ReadOnlySpan<byte> source, out BlockHeader header)
    {
        header = default;
        if (source.Length < CopyBytes
            || BinaryPrimitives.ReadUInt32LittleEndian(source) != Magic
            || BinaryPrimitives.ReadUInt32LittleEndian(source[28..]) != Crc32C.Compute(source[..28]))
        {
            return false;
        }

        var flags = BinaryPrimitives.ReadUInt32LittleEndian(source[4..]);
        header = new BlockHeader(
            BinaryPrimitives.ReadUInt32LittleEndian(source[8..]),
            BinaryPrimitives.ReadUInt32LittleEndian(source[12..]),
            BinaryPrimitives.ReadUInt32LittleEndian(source[16..]),
            BinaryPrimitives.ReadUInt64LittleEndian(source[20..]),
            (flags & CompressedFlag) != 0,
            (int)(flags >> 1));
        return true;
    }
}
