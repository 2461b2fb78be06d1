using System.Buffers;
using System.Buffers.Binary;
using Postrider.Broker.Storage;

namespace Postrider.Broker.Archives;

/// <summary>Reads Snappy's and S2's frames as they come.</summary>
/// <remarks>Not thread-safe. Source: Snappy framing format; S2 differs in its identifier, longer chunks and an index that is
/// skipped.</remarks>
internal sealed class S2Decoder(IBufferWriter<byte> target)
{
    /// <summary>The kind of a chunk whose block is compressed.</summary>
    public const int Compressed = 0;

    /// <summary>The kind of a chunk of plain bytes.</summary>
    public const int Plain = 1;

    private const int Identifier = 0xFF;
    private const int FirstSkippable = 0x80;

    // S2's writers make at most 4 MiB of plain bytes a block.
    private const int MostPlainBytes = 4 * 1024 * 1024;

    private readonly ArrayBufferWriter<byte> _rest = new();
    private bool _isIdentified;

    /// <summary>Whether everything so far was whole chunks.</summary>
    public bool IsAtBorder => _rest.WrittenCount == 0;

    /// <summary>Adds bytes; what they complete is written to the target.</summary>
    /// <returns>False when they are no such frames, or damaged.</returns>
    public bool TryWrite(ReadOnlySpan<byte> bytes)
    {
        _rest.Write(bytes);
        var left = _rest.WrittenSpan;
        while (left.Length >= S2Encoder.ChunkHeaderBytes)
        {
            var kind = left[0];
            var length = BinaryPrimitives.ReadInt32LittleEndian(left) >>> 8;
            if (length > S2Block.MostEncodedBytes(MostPlainBytes) || (!_isIdentified && kind != Identifier)) return false;
            if (left.Length - S2Encoder.ChunkHeaderBytes < length) break;
            if (!TryReadChunk(kind, left.Slice(S2Encoder.ChunkHeaderBytes, length))) return false;
            left = left[(S2Encoder.ChunkHeaderBytes + length)..];
        }

        var kept = left.ToArray();
        _rest.ResetWrittenCount();
        _rest.Write(kept);
        return true;
    }

    private bool TryReadChunk(int kind, ReadOnlySpan<byte> chunk)
    {
        switch (kind)
        {
            case Identifier:
                _isIdentified = chunk.SequenceEqual("S2sTwO"u8) || chunk.SequenceEqual("sNaPpY"u8);
                return _isIdentified;
            case Compressed or Plain when chunk.Length >= S2Encoder.ChecksumBytes:
                var checksum = BinaryPrimitives.ReadUInt32LittleEndian(chunk);
                return TryReadBlock(kind, chunk[S2Encoder.ChecksumBytes..], checksum);
            default:
                return kind >= FirstSkippable;
        }
    }

    private bool TryReadBlock(int kind, ReadOnlySpan<byte> block, uint checksum)
    {
        var length = block.Length;
        if (kind == Compressed && !S2Block.TryReadLength(ref block, out length)) return false;
        if (length > MostPlainBytes) return false;
        if (length == 0) return block.IsEmpty && checksum == S2Encoder.Mask(Crc32C.Compute([]));
        var plain = target.GetSpan(length)[..length];
        if (kind == Plain) block.CopyTo(plain);
        else if (!S2Block.TryDecode(block, plain)) return false;
        if (S2Encoder.Mask(Crc32C.Compute(plain)) != checksum) return false;
        target.Advance(length);
        return true;
    }
}
