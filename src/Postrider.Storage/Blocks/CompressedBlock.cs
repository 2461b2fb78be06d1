using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Records;

namespace Postrider.Storage.Blocks;

/// <summary>A compressed block: its bytes after the header in frames of 64 KiB, each compressed and checksummed separately.</summary>
/// <remarks>Shape of a frame, little-endian: compressed length (4) | length (4) | CRC-32C of the compressed bytes (4) | bytes.
/// Damage only affects the frame it is in. Not thread-safe.</remarks>
internal sealed class CompressedBlock
{
    /// <summary>Uncompressed size of a frame in bytes.</summary>
    public const int FrameBytes = 64 * 1024;

    private const int FrameHeaderBytes = 12;

    // Level 1 of the platform's codec: higher levels take more time per publish than the saved disk space is worth.
    private const int Quality = 1;
    private const int WindowBits = 18;

    private readonly List<(long Offset, int Compressed, int Length)> _frames = [];

    /// <summary>Uncompressed length of the block.</summary>
    public long LogicalLength { get; private set; } = BlockHeader.Bytes;

    /// <summary>Compresses a whole block.</summary>
    /// <param name="header">Its header.</param>
    /// <param name="block">Its bytes, with room for the header before them.</param>
    /// <param name="file">The file to write to.</param>
    public static void Write(BlockHeader header, ReadOnlySpan<byte> block, IStoreFile file)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(BrotliEncoder.GetMaxCompressedLength(FrameBytes) + FrameHeaderBytes + BlockHeader.Bytes);
        (header with { Compressed = true }).Write(buffer);
        file.Write(0, buffer.AsSpan(0, BlockHeader.Bytes));
        long at = BlockHeader.Bytes;
        for (var rest = block[BlockHeader.Bytes..]; !rest.IsEmpty; rest = rest[Math.Min(FrameBytes, rest.Length)..])
        {
            var frame = rest[..Math.Min(FrameBytes, rest.Length)];
            if (!BrotliEncoder.TryCompress(frame, buffer.AsSpan(FrameHeaderBytes), out var count, Quality, WindowBits))
            {
                throw new StoreException(StoreFaultKind.IoError, $"Cannot compress block {header.Number}.");
            }

            BinaryPrimitives.WriteInt32LittleEndian(buffer, count);
            BinaryPrimitives.WriteInt32LittleEndian(buffer.AsSpan(4), frame.Length);
            BinaryPrimitives.WriteUInt32LittleEndian(buffer.AsSpan(8), Crc32C.Compute(buffer.AsSpan(FrameHeaderBytes, count), (uint)frame.Length));
            file.Write(at, buffer.AsSpan(0, FrameHeaderBytes + count));
            at += FrameHeaderBytes + count;
        }

        ArrayPool<byte>.Shared.Return(buffer);
    }

    /// <summary>Finds the frames of a file.</summary>
    public static CompressedBlock Read(IStoreFile file)
    {
        var frames = new CompressedBlock();
        Span<byte> header = stackalloc byte[FrameHeaderBytes];
        var length = file.Length;
        long at = BlockHeader.Bytes;
        while (file.Read(at, header) == FrameHeaderBytes && TryReadHeader(header, length - at, out var compressed, out var raw)
            && (raw == FrameBytes || at + FrameHeaderBytes + compressed == length))
        {
            frames.Add(at, compressed, raw);
            at += FrameHeaderBytes + compressed;
        }

        if (at < length)
        {
            frames.Search(file, at, length);
        }

        return frames;
    }

    /// <summary>Reads uncompressed bytes of the block; damaged bytes read as zeros.</summary>
    /// <returns>The number of bytes read.</returns>
    public int Read(IStoreFile file, long position, Span<byte> target)
    {
        var scratch = ArrayPool<byte>.Shared.Rent(FrameBytes);

        // The header is not part of the frames: readers of a window that contains it do not use it.
        var total = (int)Math.Clamp(BlockHeader.Bytes - position, 0, target.Length);
        target[..total].Clear();
        while (total < target.Length && position + total < LogicalLength)
        {
            var logical = position + total - BlockHeader.Bytes;
            var frame = _frames[(int)(logical / FrameBytes)];
            Inflate(file, frame, scratch);
            var from = (int)(logical % FrameBytes);
            var count = Math.Min(frame.Length - from, target.Length - total);
            if (count <= 0)
            {
                // A damaged length: the position of the following frames is unknown.
                break;
            }

            scratch.AsSpan(from, count).CopyTo(target[total..]);
            total += count;
        }

        ArrayPool<byte>.Shared.Return(scratch);
        return total;
    }

    private static bool TryReadHeader(ReadOnlySpan<byte> header, long available, out int compressed, out int raw)
    {
        compressed = BinaryPrimitives.ReadInt32LittleEndian(header);
        raw = BinaryPrimitives.ReadInt32LittleEndian(header[4..]);
        return compressed > 0 && raw is > 0 and <= FrameBytes && compressed <= available - FrameHeaderBytes;
    }

    private static bool IsIntact(ReadOnlySpan<byte> header, ReadOnlySpan<byte> bytes, int raw)
        => BinaryPrimitives.ReadUInt32LittleEndian(header[8..]) == Crc32C.Compute(bytes, (uint)raw);

    private void Add(long at, int compressed, int raw)
    {
        _frames.Add((at + FrameHeaderBytes, compressed, raw));
        LogicalLength += raw;
    }

    /// <summary>After a damaged frame header: finds the next frame whose checksum is right. The bytes in between become one
    /// frame that reads as zeros.</summary>
    private void Search(IStoreFile file, long from, long length)
    {
        var bytes = new byte[length - from];
        file.Read(from, bytes);
        var good = 0;
        for (var at = 0; at <= bytes.Length - FrameHeaderBytes;)
        {
            var header = bytes.AsSpan(at);
            if (TryReadHeader(header, bytes.Length - at, out var compressed, out var raw)
                && IsIntact(header, header.Slice(FrameHeaderBytes, compressed), raw))
            {
                if (at > good)
                {
                    Add(from + good, 0, FrameBytes);
                }

                Add(from + at, compressed, raw);
                at += FrameHeaderBytes + compressed;
                good = at;
            }
            else
            {
                at++;
            }
        }

        if (good < bytes.Length)
        {
            // The end was cut off within a frame, or is damaged.
            Add(from + good, 0, FrameBytes);
        }
    }

    private static void Inflate(IStoreFile file, (long Offset, int Compressed, int Length) frame, Span<byte> target)
    {
        var bytes = ArrayPool<byte>.Shared.Rent(FrameHeaderBytes + frame.Compressed);
        var read = bytes.AsSpan(0, FrameHeaderBytes + frame.Compressed);
        var complete = file.Read(frame.Offset - FrameHeaderBytes, read) == read.Length;
        if (!complete
            || !IsIntact(read, read[FrameHeaderBytes..], frame.Length)
            || !BrotliDecoder.TryDecompress(read[FrameHeaderBytes..], target, out var written)
            || written != frame.Length)
        {
            target[..frame.Length].Clear();
        }

        ArrayPool<byte>.Shared.Return(bytes);
    }
}
