using System.Buffers;
using System.Buffers.Binary;
using Postrider.Storage.Records;

namespace Postrider.Broker.JetStream.Snapshots;

/// <summary>Compresses a stream of bytes into Snappy's frames, which every reader of S2 understands.</summary>
/// <remarks>Shape: an identifier, then chunks of kind (1), length (3), CRC-32C (4, masked) and a block or plain bytes where a block
/// would not be shorter. Not thread-safe. Source: Snappy framing format.</remarks>
internal sealed class S2Encoder(IBufferWriter<byte> target)
{
    /// <summary>What a chunk begins with: kind and length.</summary>
    public const int ChunkHeaderBytes = 4;

    /// <summary>The checksum in front of a chunk's block.</summary>
    public const int ChecksumBytes = 4;

    private readonly byte[] _plain = new byte[S2Block.MaxPlainBytes];
    private readonly ushort[] _table = S2Block.NewTable();
    private int _length;
    private bool _hasBegun;

    /// <summary>Adds bytes; chunks leave as they fill.</summary>
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

    /// <summary>Writes what is there as a chunk.</summary>
    public void Flush()
    {
        if (!_hasBegun)
        {
            target.Write(Identifier);
            _hasBegun = true;
        }

        if (_length == 0) return;
        var plain = _plain.AsSpan(0, _length);
        var room = target.GetSpan(ChunkHeaderBytes + ChecksumBytes + S2Block.MaxEncodedBytes(_length));
        var body = room[(ChunkHeaderBytes + ChecksumBytes)..];
        var encoded = S2Block.Encode(plain, body, _table);
        var isShorter = encoded < _length;
        if (!isShorter)
        {
            plain.CopyTo(body);
            encoded = _length;
        }

        BinaryPrimitives.WriteInt32LittleEndian(room, ((ChecksumBytes + encoded) << 8) | (isShorter ? S2Decoder.Compressed : S2Decoder.Plain));
        BinaryPrimitives.WriteUInt32LittleEndian(room[ChunkHeaderBytes..], Mask(Crc32C.Compute(plain)));
        target.Advance(ChunkHeaderBytes + ChecksumBytes + encoded);
        _length = 0;
    }

    /// <summary>A checksum as chunks carry it: a checksum of what contains checksums would be weak.</summary>
    public static uint Mask(uint checksum) => ((checksum >> 15) | (checksum << 17)) + 0xA282EAD8;

    private static ReadOnlySpan<byte> Identifier => [0xFF, 6, 0, 0, (byte)'s', (byte)'N', (byte)'a', (byte)'P', (byte)'p', (byte)'Y'];
}
