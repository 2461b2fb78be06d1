using System.Buffers.Binary;
using Postrider.Storage.Records;

namespace Postrider.Storage.Encryption;

/// <summary>The header of a segment of an encrypted file.</summary>
/// <remarks>Shape, little-endian: kind (1) | zeros (3) | length of the plaintext (4) | its offset in the file as the store sees it (8) | number (8) |
/// CRC-32C of the bytes before (4). Then nonce (12), ciphertext and tag (16), which authenticates the header too. Thread-safe: no state.</remarks>
/// <param name="Kind">The kind of segment.</param>
/// <param name="Length">Bytes of the plaintext; 0 for a cut.</param>
/// <param name="Offset">The plaintext's offset in the file as the store sees it; for a cut the new length.</param>
/// <param name="Number">Increases within the file: remains of what was cut off have lower numbers than what follows the cut.</param>
internal readonly record struct SegmentHeader(SegmentKind Kind, int Length, long Offset, ulong Number)
{
    /// <summary>Bytes of the header.</summary>
    public const int Bytes = 28;

    /// <summary>Bytes that a segment needs in addition to its plaintext.</summary>
    public const int Overhead = Bytes + AuthenticatedCipher.NonceBytes + AuthenticatedCipher.TagBytes;

    /// <summary>Maximum length of the plaintext: what is decrypted for one record at most.</summary>
    public const int MaxLength = 64 * 1024;

    private const int ChecksumAt = 24;

    /// <summary>Writes the header; all of it is authenticated.</summary>
    public void Write(Span<byte> target)
    {
        target[..Bytes].Clear();
        target[0] = (byte)Kind;
        BinaryPrimitives.WriteInt32LittleEndian(target[4..], Length);
        BinaryPrimitives.WriteInt64LittleEndian(target[8..], Offset);
        BinaryPrimitives.WriteUInt64LittleEndian(target[16..], Number);
        BinaryPrimitives.WriteUInt32LittleEndian(target[ChecksumAt..], Crc32C.Compute(target[..ChecksumAt]));
    }

    /// <summary>Reads a header.</summary>
    /// <returns>False for bytes that are not a header.</returns>
    public static bool TryRead(ReadOnlySpan<byte> source, out SegmentHeader header)
    {
        header = default;
        if (source.Length < Bytes || BinaryPrimitives.ReadUInt32LittleEndian(source[ChecksumAt..]) != Crc32C.Compute(source[..ChecksumAt])) return false;
        header = new SegmentHeader(
            (SegmentKind)source[0],
            BinaryPrimitives.ReadInt32LittleEndian(source[4..]),
            BinaryPrimitives.ReadInt64LittleEndian(source[8..]),
            BinaryPrimitives.ReadUInt64LittleEndian(source[16..]));
        return header.Kind is SegmentKind.Data or SegmentKind.Cut && header.Length is >= 0 and <= MaxLength && header.Offset >= 0 && header.Number > 0
            && (header.Kind == SegmentKind.Data) == (header.Length > 0);
    }
}
