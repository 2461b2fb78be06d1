using System.Buffers;
using System.Buffers.Binary;
using Postrider.Storage.Records;

namespace Postrider.Broker.Compression;

/// <summary>Writes one chunk of a stream in the Snappy/S2 framing format.</summary>
/// <remarks>Shape: kind (1), length (3), CRC-32C (4, masked), then a block, or plain bytes where a block would not be shorter.
/// Thread-safe: no state. Source: Snappy framing format.</remarks>
internal static class S2Chunk
{
    /// <summary>Size of a chunk's header: kind, length and checksum.</summary>
    public const int HeadBytes = S2Encoder.ChunkHeaderBytes + S2Encoder.ChecksumBytes;

    // Number of earlier positions that are compared.
    private const int BetterDepth = 6;
    private const int BestDepth = 48;

    /// <summary>Encodes a block if that is shorter.</summary>
    /// <param name="plain">1 to <see cref="S2Block.MaxPlainBytes"/>.</param>
    /// <param name="target">At least <see cref="S2Block.MaxEncodedBytes"/>; it may be overwritten in any case.</param>
    /// <param name="level">The compression level.</param>
    /// <returns>Bytes written; 0 when the chunk has to contain the plain bytes.</returns>
    public static int Encode(ReadOnlySpan<byte> plain, Span<byte> target, S2Level level)
    {
        var length = level switch
        {
            S2Level.Uncompressed => plain.Length,
            S2Level.Fast => EncodeFast(plain, target),
            S2Level.Better => S2ChainEncoder.Encode(plain, target, BetterDepth),
            _ => S2ChainEncoder.Encode(plain, target, BestDepth),
        };
        return length < plain.Length ? length : 0;
    }

    /// <summary>Writes a chunk's header.</summary>
    /// <param name="target">At least <see cref="HeadBytes"/>.</param>
    /// <param name="plain">The plain bytes.</param>
    /// <param name="encoded">The result of <see cref="Encode"/>.</param>
    public static void WriteHead(Span<byte> target, ReadOnlySpan<byte> plain, int encoded)
    {
        var (kind, length) = encoded > 0 ? (S2Decoder.Compressed, encoded) : (S2Decoder.Plain, plain.Length);
        BinaryPrimitives.WriteInt32LittleEndian(target, ((S2Encoder.ChecksumBytes + length) << 8) | kind);
        BinaryPrimitives.WriteUInt32LittleEndian(target[S2Encoder.ChunkHeaderBytes..], S2Encoder.Mask(Crc32C.Compute(plain)));
    }

    private static int EncodeFast(ReadOnlySpan<byte> plain, Span<byte> target)
    {
        var table = ArrayPool<ushort>.Shared.Rent(S2Block.TableSlots);
        var length = S2Block.Encode(plain, target, table);
        ArrayPool<ushort>.Shared.Return(table);
        return length;
    }
}
