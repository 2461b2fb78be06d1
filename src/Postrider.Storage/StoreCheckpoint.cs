using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Storage;

/// <summary>The state of a store at a clean end, so that opening reads neither blocks nor indexes.</summary>
/// <remarks>
/// <para>It is used when every block that it names exists in the same generation; records appended to the newest block since are read
/// from it. Otherwise the blocks are read, which is not an error.</para>
/// <para>Shape: magic (4), CRC-32C of the rest (4), salt (4), then 8-byte numbers: first, last, messages, bytes, last timestamp;
/// counted lists of blocks, subjects and expiries. Not thread-safe: no state.</para>
/// </remarks>
internal static class StoreCheckpoint
{
    private const uint Magic = 0x31534250;
    private const int PrefixBytes = 12;

    /// <summary>Writes the snapshot, replacing the previous one; the blocks are flushed first.</summary>
    public static void Write(FileStore store)
    {
        if (!store.TrySync())
        {
            return;
        }

        var body = new ArrayBufferWriter<byte>(1024 + (store.Subjects.Count * 64));
        Put(body, store.FirstSequence);
        Put(body, store.LastSequence);
        Put(body, (ulong)store.Messages);
        Put(body, (ulong)store.Bytes);
        Put(body, (ulong)store.LastTimestamp);
        Put(body, (ulong)store.Blocks.Count);
        foreach (var each in store.Blocks.Span)
        {
            PutBlock(body, (FileBlock)each);
        }

        PutSubjects(body, store);
        Put(body, (ulong)store.Expiries.Count);
        store.Expiries.Visit((sequence, at) =>
        {
            Put(body, sequence);
            Put(body, (ulong)at);
        });
        var prefix = new byte[PrefixBytes];
        BinaryPrimitives.WriteUInt32LittleEndian(prefix, Magic);
        BinaryPrimitives.WriteUInt32LittleEndian(prefix.AsSpan(8), store.Files.Salt);
        BinaryPrimitives.WriteUInt32LittleEndian(prefix.AsSpan(4), Crc32C.Compute(body.WrittenSpan, store.Files.Salt));
        const string Unfinished = BlockNames.Snapshot + BlockNames.Temporary;
        using (var file = store.Folder.Create(Unfinished))
        {
            file.Write(0, prefix);
            file.Write(PrefixBytes, body.WrittenSpan);
            file.Sync();
        }

        store.Folder.Rename(Unfinished, BlockNames.Snapshot);
        store.Folder.Sync();
    }

    /// <summary>Reads the snapshot of the store and its blocks, whether or not it matches the blocks.</summary>
    /// <returns>Null when it is missing, damaged or not readable.</returns>
    public static CheckpointContents? TryRead(IStoreFolder folder)
    {
        if (TryReadFile(folder) is not { } bytes)
        {
            return null;
        }

        try
        {
            var body = bytes.AsSpan(PrefixBytes);
            return TakeContents(ref body, BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(8)));
        }
        catch (Exception e) when (e is ArgumentException or IndexOutOfRangeException)
        {
            return null;
        }
    }

    /// <summary>Fills an empty store.</summary>
    /// <returns>False when there is no snapshot that matches the blocks: the store must be emptied again.</returns>
    public static bool TryLoad(FileStore store, List<(BlockHeader Header, long Length)> headers, RecoveryReport report)
    {
        if (headers.Count == 0 || TryReadFile(store.Folder) is not { } bytes || BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(8)) != store.Files.Salt)
        {
            return false;
        }

        var body = bytes.AsSpan(PrefixBytes);
        var contents = TakeContents(ref body, store.Files.Salt);
        store.FirstSequence = contents.FirstSequence;
        store.LastSequence = contents.LastSequence;
        store.Messages = contents.Messages;
        store.Bytes = contents.Bytes;
        store.LastTimestamp = contents.LastTimestamp;
        if (contents.Blocks.Length != headers.Count)
        {
            report.Notes.Add($"The snapshot lists {contents.Blocks.Length} blocks, but there are {headers.Count}: it is ignored.");
            return false;
        }

        FileBlock? newest = null;
        for (var i = 0; i < headers.Count; i++)
        {
            if (!TryEnterBlock(store, contents.Blocks[i], headers[i], isNewest: i == headers.Count - 1, out newest))
            {
                report.Notes.Add($"The snapshot describes a different version of block {headers[i].Header.Number:x8}: it is ignored.");
                return false;
            }
        }

        TakeSubjects(ref body, store);
        for (var left = (int)Take(ref body); left > 0; left--)
        {
            var sequence = Take(ref body);
            store.Expiries.Add(sequence, (long)Take(ref body));
        }

        report.Blocks = headers.Count;
        if (!TryContinue(store, newest!, contents.Blocks[^1], report))
        {
            report.Notes.Add("The newest block does not match the snapshot, which is ignored.");
            return false;
        }

        report.FromSnapshot = true;
        return true;
    }

    private static byte[]? TryReadFile(IStoreFolder folder)
    {
        try
        {
            using var file = folder.Open(BlockNames.Snapshot, writable: false);
            var bytes = GC.AllocateUninitializedArray<byte>((int)file.Length);
            var intact = file.Read(0, bytes) == bytes.Length
                && bytes.Length > PrefixBytes
                && BinaryPrimitives.ReadUInt32LittleEndian(bytes) == Magic
                && BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(4)) == Crc32C.Compute(bytes.AsSpan(PrefixBytes), BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(8)));
            return intact ? bytes : null;
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            // Missing or unreadable: the blocks contain the same, but reading them is slower.
            return null;
        }
    }

    private static void PutBlock(ArrayBufferWriter<byte> body, FileBlock block)
    {
        Put(body, block.Header.Number);
        Put(body, block.Header.Generation);
        Put(body, block.First);
        Put(body, (ulong)block.Slots);
        Put(body, (ulong)block.DataBytes);
        Put(body, (ulong)block.File.Length);
        Put(body, (ulong)block.LiveBytes);
        Put(body, (ulong)block.ControlBytes);
        Put(body, (ulong)block.LastTimestamp);
        Put(body, block.IsSealed ? 1UL : 0);
        var words = block.Removed.Words;
        Put(body, (ulong)words.Length);
        body.Write(MemoryMarshal.AsBytes(words));
    }

    private static CheckpointContents TakeContents(ref Span<byte> body, uint salt)
    {
        var (first, last, messages, bytes, timestamp) = (Take(ref body), Take(ref body), Take(ref body), Take(ref body), Take(ref body));
        var blocks = new List<CheckpointBlock>();
        for (var left = (int)Take(ref body); left > 0; left--)
        {
            blocks.Add(TakeBlock(ref body));
        }

        return new CheckpointContents(salt, first, last, (long)messages, (long)bytes, (long)timestamp, [.. blocks]);
    }

    private static CheckpointBlock TakeBlock(ref Span<byte> body)
    {
        var number = (uint)Take(ref body);
        var generation = (uint)Take(ref body);
        var first = Take(ref body);
        var slots = (int)Take(ref body);
        var dataBytes = (long)Take(ref body);
        var fileBytes = (long)Take(ref body);
        var liveBytes = (long)Take(ref body);
        var controlBytes = (long)Take(ref body);
        var lastTimestamp = (long)Take(ref body);
        var isSealed = Take(ref body) == 1;
        var words = (int)Take(ref body);
        var removed = new RemovedSet();
        removed.Load(MemoryMarshal.Cast<byte, ulong>(body[..(words * 8)]));
        body = body[(words * 8)..];
        return new CheckpointBlock(number, generation, first, slots, dataBytes, fileBytes, liveBytes, controlBytes, lastTimestamp, isSealed, removed);
    }

    private static bool TryEnterBlock(FileStore store, CheckpointBlock known, (BlockHeader Header, long Length) found, bool isNewest, out FileBlock block)
    {
        block = null!;
        var header = found.Header;
        if (header.Number != known.Number || header.Generation != known.Generation || header.First != known.First
            || (known.IsSealed ? found.Length != known.FileBytes : found.Length < known.FileBytes || !isNewest))
        {
            return false;
        }

        block = new FileBlock(store, store.Folder, header, null, known.DataBytes);
        store.Blocks.Add(block);
        if (known.IsSealed)
        {
            block.Restore(known.Slots, known.LastTimestamp, known.Removed);
            block.LiveBytes = known.LiveBytes;
            block.ControlBytes = known.ControlBytes;
            block.Seal();
        }

        return true;
    }

    /// <summary>Reads the newest block: what the snapshot contains of it, and what was appended since.</summary>
    private static bool TryContinue(FileStore store, FileBlock block, CheckpointBlock known, RecoveryReport report)
    {
        var (slots, length) = (known.Slots, known.DataBytes);
        if (block.IsSealed)
        {
            return true;
        }

        var bytes = block.ReadAll();
        foreach (var slot in Enumerable.Range(0, slots).Where(known.Removed.Contains))
        {
            block.Removed.Add(slot);
        }

        var end = StoreRecovery.EnterScanned(store, block, bytes, slots, length, nextFirst: 0, report);
        block.Resume(end);

        // Sequences skipped at the end have no records.
        block.EnterGap(Math.Max(0, slots - block.Slots));
        return end >= length && report is { Damaged.Count: 0, ErasedSinceSnapshot: false };
    }

    private static void PutSubjects(ArrayBufferWriter<byte> body, FileStore store)
    {
        Put(body, (ulong)store.Subjects.Count);
        for (var id = 0; id < store.Subjects.IdLimit; id++)
        {
            if (!store.Subjects.IsUsed(id))
            {
                continue;
            }

            ref var entry = ref store.Subjects[id];
            Put(body, (ulong)entry.Count);
            Put(body, entry.First);
            Put(body, entry.Last);
            var name = store.Subjects.NameOf(id);
            Put(body, (uint)name.Length | (entry.FirstIsBound ? 1UL << 32 : 0));
            body.Write(name);
        }
    }

    private static void TakeSubjects(ref Span<byte> body, FileStore store)
    {
        for (var left = (int)Take(ref body); left > 0; left--)
        {
            var (count, first, last, shape) = (Take(ref body), Take(ref body), Take(ref body), Take(ref body));
            var name = body[..(int)(uint)shape];
            body = body[name.Length..];
            ref var entry = ref store.Subjects[store.Subjects.GetOrAdd(name)];
            entry.Count = (long)count;
            entry.First = first;
            entry.Last = last;
            entry.FirstIsBound = shape >> 32 != 0;
        }
    }

    private static void Put(ArrayBufferWriter<byte> body, ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(body.GetSpan(8), value);
        body.Advance(8);
    }

    private static ulong Take(ref Span<byte> body)
    {
        var value = BinaryPrimitives.ReadUInt64LittleEndian(body);
        body = body[8..];
        return value;
    }
}
