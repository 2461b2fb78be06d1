using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Postrider.Storage.Blocks;
using Postrider.Storage.Files;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Storage;

/// <summary>The index of a full block as a file, so that opening a store and reading an old block do not require reading the records.</summary>
/// <remarks>
/// <para>Shape, little-endian: header of 64 bytes (magic, block number, generation, salt, length of the block, first
/// sequence, slots, last timestamp, subjects, controls, expiries, CRC-32C of the body, CRC-32C of the header), then
/// positions, lengths, backs, subject numbers (4 bytes a slot each, -1 without a message), positions of controls (4), expiries (slot 4, time 8),
/// subjects (length 2, bytes). Subject numbers are local to the file; a reader maps them to the ids of its table.</para>
/// <para>Not thread-safe: no state.</para>
/// </remarks>
internal static class BlockIndexFile
{
    private const uint Magic = 0x31584250;
    private const int HeaderBytes = 64;
    private const int ExpiryBytes = 12;

    /// <summary>Writes the index of a full block.</summary>
    public static void Write(IStoreFolder folder, FileBlock block, SubjectTable subjects)
    {
        var numbers = new Dictionary<int, int>();
        var names = new ArrayBufferWriter<byte>();
        var index = block.Index;
        var own = ArrayPool<int>.Shared.Rent(block.Slots);
        int lastId = -1, lastNumber = -1;
        for (var slot = 0; slot < block.Slots; slot++)
        {
            if (block.Removed.Contains(slot))
            {
                own[slot] = -1;
                continue;
            }

            // Runs of one subject are common: one look-up for each run.
            var id = index.SubjectIds[slot];
            if (id != lastId)
            {
                (lastId, lastNumber) = (id, NumberOf(id, subjects, numbers, names));
            }

            own[slot] = lastNumber;
        }

        var expiries = new ArrayBufferWriter<byte>((block.Expiries.Count * ExpiryBytes) + 1);
        foreach (var (slot, at) in block.Expiries)
        {
            var target = expiries.GetSpan(ExpiryBytes);
            BinaryPrimitives.WriteInt32LittleEndian(target, slot);
            BinaryPrimitives.WriteInt64LittleEndian(target[4..], at);
            expiries.Advance(ExpiryBytes);
        }

        // Written part by part from where the parts are: joined, every full block left megabytes of garbage.
        using var file = folder.Create(BlockNames.Index(block.Header.Number));
        long end = HeaderBytes;
        uint checksum = 0;
        Put(file, MemoryMarshal.AsBytes(index.Positions.Span), ref end, ref checksum);
        Put(file, MemoryMarshal.AsBytes(index.Lengths.Span), ref end, ref checksum);
        Put(file, MemoryMarshal.AsBytes(index.Backs.Span), ref end, ref checksum);
        Put(file, MemoryMarshal.AsBytes(own.AsSpan(0, block.Slots)), ref end, ref checksum);
        Put(file, MemoryMarshal.AsBytes(CollectionsMarshal.AsSpan(block.Controls)), ref end, ref checksum);
        Put(file, expiries.WrittenSpan, ref end, ref checksum);
        Put(file, names.WrittenSpan, ref end, ref checksum);
        ArrayPool<int>.Shared.Return(own);
        Span<byte> header = stackalloc byte[HeaderBytes];
        header.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(header, Magic);
        BinaryPrimitives.WriteUInt32LittleEndian(header[4..], block.Header.Number);
        BinaryPrimitives.WriteUInt32LittleEndian(header[8..], block.Header.Generation);
        BinaryPrimitives.WriteUInt32LittleEndian(header[12..], block.Header.Salt);
        BinaryPrimitives.WriteInt64LittleEndian(header[16..], block.DataBytes);
        BinaryPrimitives.WriteUInt64LittleEndian(header[24..], block.First);
        BinaryPrimitives.WriteInt32LittleEndian(header[32..], block.Slots);
        BinaryPrimitives.WriteInt64LittleEndian(header[36..], block.LastTimestamp);
        BinaryPrimitives.WriteInt32LittleEndian(header[44..], numbers.Count);
        BinaryPrimitives.WriteInt32LittleEndian(header[48..], block.Controls.Count);
        BinaryPrimitives.WriteInt32LittleEndian(header[52..], block.Expiries.Count);
        BinaryPrimitives.WriteUInt32LittleEndian(header[56..], checksum);
        BinaryPrimitives.WriteUInt32LittleEndian(header[60..], Crc32C.Compute(header[..60]));
        file.Write(0, header);
    }

    /// <summary>Reads an index that belongs to this generation of the block.</summary>
    /// <param name="folder">The store's folder.</param>
    /// <param name="block">The header of the block.</param>
    /// <param name="blockLength">Uncompressed length of the block; -1 when unknown.</param>
    /// <param name="contents">The contents of the file.</param>
    /// <returns>False when it is missing, damaged or belongs to another generation.</returns>
    public static bool TryRead(IStoreFolder folder, BlockHeader block, long blockLength, out BlockContents contents)
        => TryRead(folder, block.Number, block.Generation, block.Salt, blockLength, out contents);

    /// <summary>Reads an index whose block may be missing.</summary>
    /// <param name="folder">The store's folder.</param>
    /// <param name="number">The block's number.</param>
    /// <param name="generation">The generation of the block; null for any.</param>
    /// <param name="salt">The store's salt.</param>
    /// <param name="blockLength">Uncompressed length of the block; -1 when unknown.</param>
    /// <param name="contents">The contents of the file.</param>
    /// <returns>False when it is missing, damaged or belongs to another block or generation.</returns>
    public static bool TryRead(IStoreFolder folder, uint number, uint? generation, uint salt, long blockLength, out BlockContents contents)
    {
        contents = null!;
        if (!TryReadFile(folder, number, out var bytes))
        {
            return false;
        }

        var header = bytes.AsSpan();
        if (BinaryPrimitives.ReadUInt32LittleEndian(header[56..]) != Crc32C.Compute(header[HeaderBytes..])
            || BinaryPrimitives.ReadUInt32LittleEndian(header[4..]) != number
            || (generation is { } writing && BinaryPrimitives.ReadUInt32LittleEndian(header[8..]) != writing)
            || BinaryPrimitives.ReadUInt32LittleEndian(header[12..]) != salt
            || (blockLength >= 0 && BinaryPrimitives.ReadInt64LittleEndian(header[16..]) != blockLength))
        {
            return false;
        }

        contents = new BlockContents(bytes, HeaderBytes)
        {
            First = BinaryPrimitives.ReadUInt64LittleEndian(header[24..]),
            Slots = BinaryPrimitives.ReadInt32LittleEndian(header[32..]),
            LastTimestamp = BinaryPrimitives.ReadInt64LittleEndian(header[36..]),
            DataBytes = BinaryPrimitives.ReadInt64LittleEndian(header[16..]),
            SubjectCount = BinaryPrimitives.ReadInt32LittleEndian(header[44..]),
            ControlCount = BinaryPrimitives.ReadInt32LittleEndian(header[48..]),
            ExpiryCount = BinaryPrimitives.ReadInt32LittleEndian(header[52..]),
        };
        return true;
    }

    /// <summary>Reads only the salt of the store that an index belongs to.</summary>
    public static bool TryReadSalt(IStoreFolder folder, uint number, out uint salt)
    {
        var isRead = TryReadFile(folder, number, out var bytes);
        salt = isRead ? BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(12)) : 0;
        return isRead;
    }

    private static bool TryReadFile(IStoreFolder folder, uint number, out byte[] bytes)
    {
        bytes = [];
        try
        {
            using var file = folder.Open(BlockNames.Index(number), writable: false);
            bytes = GC.AllocateUninitializedArray<byte>((int)file.Length);
            return file.Read(0, bytes) == bytes.Length
                && bytes.Length >= HeaderBytes
                && BinaryPrimitives.ReadUInt32LittleEndian(bytes) == Magic
                && BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(60)) == Crc32C.Compute(bytes.AsSpan(0, 60));
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException or UnauthorizedAccessException)
        {
            // It is rebuilt from the records.
            return false;
        }
    }

    private static void Put(IStoreFile file, ReadOnlySpan<byte> part, ref long end, ref uint checksum)
    {
        if (!part.IsEmpty)
        {
            file.Write(end, part);
            checksum = Crc32C.Compute(part, checksum);
            end += part.Length;
        }
    }

    private static int NumberOf(int id, SubjectTable subjects, Dictionary<int, int> numbers, ArrayBufferWriter<byte> names)
    {
        if (!numbers.TryGetValue(id, out var number))
        {
            number = numbers.Count;
            numbers.Add(id, number);
            var name = subjects.NameOf(id);
            var target = names.GetSpan(2 + name.Length);
            BinaryPrimitives.WriteUInt16LittleEndian(target, (ushort)name.Length);
            name.CopyTo(target[2..]);
            names.Advance(2 + name.Length);
        }

        return number;
    }
}
