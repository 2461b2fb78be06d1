using System.Buffers;

namespace Postrider.Broker.Compression;

/// <summary>Compresses a stream of bytes into the Snappy framing format, which every S2 reader understands.</summary>
/// <remarks>Shape: an identifier, then chunks as <see cref="S2Chunk"/> writes them. Not thread-safe. Source: Snappy framing format.</remarks>
internal sealed class S2Encoder(IBufferWriter<byte> target)
{
    /// <summary>The type and length at the start of a chunk.</summary>
    public const int ChunkHeaderBytes = 4;

    /// <summary>The checksum before a chunk's block.</summary>
    public const int ChecksumBytes = 4;

    private readonly byte[] _plain = new byte[S2Block.MaxPlainBytes];
    private int _length;
    private bool _hasBegun;

    /// <summary>The identifier at the start of a stream.</summary>
    public static ReadOnlySpan<byte> Identifier => [0xFF, 6, 0, 0, (byte)'s', (byte)'N', (byte)'a', (byte)'P', (byte)'p', (byte)'Y'];

    /// <summary>Adds bytes; full chunks are written at once.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            var part = Math.Min(bytes.Length, _plain.Length - _length);
            bytes[..part].CopyTo(_plain.AsSpan(_length));
            _length += part;
            bytes = bytes[part..];
            if (_length == _plain.Length) Flush();
        }
    }

    /// <summary>Writes the remaining bytes as a chunk.</summary>
    public void Flush()
    {
        if (!_hasBegun)
        {
            target.Write(Identifier);
            _hasBegun = true;
        }

        if (_length == 0) return;
        var plain = _plain.AsSpan(0, _length);
        var room = target.GetSpan(S2Chunk.HeadBytes + S2Block.MaxEncodedBytes(_length));
        var body = room[S2Chunk.HeadBytes..];
        var encoded = S2Chunk.Encode(plain, body, S2Level.Fast);
        if (encoded == 0) plain.CopyTo(body);
        S2Chunk.WriteHead(room, plain, encoded);
        target.Advance(S2Chunk.HeadBytes + (encoded > 0 ? encoded : _length));
        _length = 0;
    }

    /// <summary>Masks a checksum as the format requires: a checksum over data that contains its own kind of checksums would be weak.</summary>
    public static uint Mask(uint checksum) => ((checksum >> 15) | (checksum << 17)) + 0xA282EAD8;
}
