using System.Buffers;
using System.Buffers.Binary;
using Postrider.Storage.Records;

namespace Postrider.Broker.Compression;

/// <summary>Reads the Snappy/S2 framing format incrementally, one block at a time.</summary>
/// <remarks>
/// <para>A few bytes can decode to 4 MiB. Therefore each block is returned before the next one is decoded: only one encoded
/// chunk, one decoded block, and the bytes added last are held.</para>
/// <para>Not thread-safe. Source: Snappy framing format; S2 differs in its identifier, in longer chunks and in an index, which is
/// skipped.</para>
/// </remarks>
internal sealed class S2Decoder
{
    /// <summary>The type of a chunk with a compressed block.</summary>
    public const int Compressed = 0;

    /// <summary>The type of a chunk with plain bytes.</summary>
    public const int Plain = 1;

    /// <summary>Maximum plain size of a block: S2's writers make no larger ones.</summary>
    public const int MaxPlainBytes = 4 * 1024 * 1024;

    private const int Identifier = 0xFF;
    private const int FirstSkippable = 0x80;

    // Chunks and blocks are usually 64 KiB; buffers for larger ones are returned.
    private const int KeptBytes = 256 * 1024;

    private byte[] _input = [];
    private byte[] _plain = [];
    private (byte[] Array, int Start, int Length) _block = ([], 0, 0);
    private int _start;
    private int _end;
    private bool _isIdentified;

    /// <summary>Maximum plain size of a block that is accepted: 1 to <see cref="MaxPlainBytes"/>, which is the default.</summary>
    public int MaxBlockBytes { get; init; } = MaxPlainBytes;

    /// <summary>The block that was read last: valid until the next call of any method.</summary>
    public ReadOnlySpan<byte> Block => _block.Array.AsSpan(_block.Start, _block.Length);

    /// <summary>Whether the bytes so far end with a complete chunk.</summary>
    public bool IsAtBorder => _start == _end;

    /// <summary>Bytes of memory that are held.</summary>
    public long HeldBytes => (long)_input.Length + _plain.Length;

    /// <summary>Adds bytes. Call <see cref="TryRead"/> until it needs more.</summary>
    /// <param name="bytes">The next bytes of the stream. Copied.</param>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        var rest = _end - _start;
        if (bytes.Length > _input.Length - _end)
        {
            var target = rest + bytes.Length > _input.Length || (_input.Length > KeptBytes && rest + bytes.Length <= KeptBytes)
                ? ArrayPool<byte>.Shared.Rent(Math.Max(rest + bytes.Length, Math.Min(2 * _input.Length, S2Block.MaxEncodedBytes(MaxBlockBytes))))
                : _input;
            _input.AsSpan(_start, rest).CopyTo(target);
            if (!ReferenceEquals(target, _input)) Return(_input);
            (_input, _start, _end) = (target, 0, rest);
        }

        bytes.CopyTo(_input.AsSpan(_end));
        _end += bytes.Length;
    }

    /// <summary>Decodes the next block.</summary>
    /// <param name="plain">Its bytes: valid until the next call of any method.</param>
    /// <returns><see cref="OperationStatus.Done"/>, <see cref="OperationStatus.NeedMoreData"/>, or
    /// <see cref="OperationStatus.InvalidData"/> when the bytes are not in this format, or are damaged.</returns>
    public OperationStatus TryRead(out ReadOnlySpan<byte> plain)
    {
        plain = default;
        _block = ([], 0, 0);
        while (_end - _start >= S2Encoder.ChunkHeaderBytes)
        {
            var left = _input.AsSpan(_start, _end - _start);
            var kind = left[0];
            var length = BinaryPrimitives.ReadInt32LittleEndian(left) >>> 8;
            if (length > S2Block.MaxEncodedBytes(MaxBlockBytes) || (!_isIdentified && kind != Identifier)) return OperationStatus.InvalidData;
            if (left.Length - S2Encoder.ChunkHeaderBytes < length) return OperationStatus.NeedMoreData;
            _start += S2Encoder.ChunkHeaderBytes + length;
            if (!TryReadChunk(kind, left.Slice(S2Encoder.ChunkHeaderBytes, length))) return OperationStatus.InvalidData;
            if (_block.Length == 0) continue;
            plain = Block;
            return OperationStatus.Done;
        }

        return OperationStatus.NeedMoreData;
    }

    /// <summary>Returns unused buffers once every block was taken.</summary>
    public void Trim()
    {
        Return(_plain);
        (_plain, _block) = ([], ([], 0, 0));
        if (!IsAtBorder) return;
        Return(_input);
        (_input, _start, _end) = ([], 0, 0);
    }

    private static void Return(byte[] array)
    {
        if (array.Length > 0) ArrayPool<byte>.Shared.Return(array);
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

    // The chunk ends where the next one starts.
    private bool TryReadBlock(int kind, ReadOnlySpan<byte> block, uint checksum)
    {
        var length = block.Length;
        if (kind == Compressed && !S2Block.TryReadLength(ref block, out length)) return false;
        if (length > MaxBlockBytes) return false;
        if (kind == Plain)
        {
            _block = (_input, _start - length, length);
        }
        else
        {
            if (_plain.Length < length || (_plain.Length > KeptBytes && length <= KeptBytes))
            {
                Return(_plain);
                _plain = ArrayPool<byte>.Shared.Rent(length);
            }

            if (!S2Block.TryDecode(block, _plain.AsSpan(0, length))) return false;
            _block = (_plain, 0, length);
        }

        return S2Encoder.Mask(Crc32C.Compute(Block)) == checksum;
    }
}
