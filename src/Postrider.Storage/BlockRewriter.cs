using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Records;

namespace Postrider.Storage;

/// <summary>Rewrites blocks: without removed messages, compressed, or truncated.</summary>
/// <remarks>A block is replaced by renaming a finished, flushed file over it: after a crash it has the old or the new generation.
/// The removals of older messages that the old one recorded are repeated in the newest block before. Not thread-safe: no state.</remarks>
internal static class BlockRewriter
{
    /// <summary>Compacts a full block. A block with damage in it is left unchanged. Throws the exceptions of the file system.</summary>
    public static void Rewrite(FileStore store, FileBlock block)
    {
        var bytes = block.ReadAll();
        var begin = block.Removed.NextLive(0);
        var end = block.Removed.PreviousLive(block.Slots - 1) + 1;
        var header = block.Header with { Generation = block.Header.Generation + 1, First = block.First + (ulong)begin, Compressed = store.Options.Compress };
        var image = GC.AllocateUninitializedArray<byte>(BlockHeader.Bytes + (int)block.LiveBytes);
        header.Write(image);
        var copy = new FileBlock(store, store.Folder, header, null, 0);
        copy.Attach(new BlockIndex(end - begin));
        var at = BlockHeader.Bytes;
        for (var slot = begin; slot < end; slot++)
        {
            if (!block.IsLive(slot))
            {
                copy.EnterGap(1);
                continue;
            }

            var index = block.Index;
            var record = bytes.AsSpan(index.Positions[slot], index.LengthOf(slot));
            if (!Record.IsIntact(record, store.Files.Salt))
            {
                copy.Dispose();
                return;
            }

            record.CopyTo(image.AsSpan(at));
            var fixedPart = Record.ReadHeader(record);
            copy.Enter(at, index.SubjectIds[slot], index.Backs[slot], index.Lengths[slot], fixedPart.Timestamp);
            if (fixedPart.TimeToLiveSeconds != 0)
            {
                copy.NoteExpiry(slot - begin, ExpiryQueue.MomentOf(fixedPart.Timestamp, fixedPart.TimeToLiveSeconds));
            }

            at += record.Length;
        }

        RepeatRemovals(store, block, bytes);
        WriteFile(store, header, image.AsSpan(0, at));
        store.Files.Replace(block, copy, at);
    }

    /// <summary>Repeats, in the newest block, the removals that an obsolete block records of messages that are still in older files.</summary>
    public static void RepeatRemovals(FileStore store, FileBlock block, byte[] bytes)
    {
        if (block.ControlBytes == 0)
        {
            return;
        }

        var scanner = new BlockScanner(bytes, store.Files.Salt, block.First);
        while (scanner.MoveNext())
        {
            var header = Record.ReadHeader(scanner.Record);
            if (header.Kind != RecordKind.Removal)
            {
                continue;
            }

            var ranges = scanner.Record[Record.HeaderBytes..];
            ulong previous = 0;
            while (RangeList.TryRead(ref ranges, ref previous, out var range))
            {
                RepeatWhatIsNeeded(store, block, range);
            }
        }

        store.Compactor.TryWriteRemovals();
    }

    /// <summary>Removes every sequence above <paramref name="last"/> from memory and disk.</summary>
    public static bool Truncate(FileStore store, ulong last)
        => store.TryWrite("truncate", () =>
        {
            // A snapshot would match again once as many bytes have been appended, and be wrong.
            store.Folder.Delete(BlockNames.Snapshot);
            while (store.Messages > 0 && store.Blocks.TryFindPreviousLive(store.LastSequence, out var block, out var slot) && block.First + (ulong)slot > last)
            {
                store.RemoveSlot(block, slot, RemoveReason.Purged);
            }

            store.Compactor.DropEmptied(int.MaxValue);
            while (store.Blocks.Count > 0 && store.Blocks.Active.First > last)
            {
                var newest = (FileBlock)store.Blocks.Active;
                store.Blocks.Remove(newest);
                store.Files.Delete(newest);
            }

            store.LastSequence = last;
            store.Expiries.Truncate(last);
            if (store.Messages == 0)
            {
                store.FirstSequence = last + 1;
            }

            // The removals above are of sequences that will be assigned again: they must not be written.
            store.Compactor.DiscardRemovals();
            CutNewest(store, last);
            store.Committed.Mark();
            RepeatAllRemovals(store);
        });

    private static void CutNewest(FileStore store, ulong last)
    {
        var newest = store.Blocks.Count > 0 ? (FileBlock)store.Blocks.Active : null;
        if (newest is { IsSealed: false })
        {
            var slots = (int)Math.Min((ulong)newest.Slots, last + 1 - newest.First);
            newest.Cut(FirstByteAbove(newest, slots, last), slots);
            return;
        }

        store.Blocks.Add(store.Files.Create(last + 1));
        if (newest is { Messages: 0 })
        {
            store.Blocks.Remove(newest);
            store.Files.Delete(newest);
        }
        else if (newest is not null)
        {
            Rewrite(store, newest);
        }
    }

    /// <summary>The position of the first record about a sequence above the cut: a message, or the removal of one.</summary>
    private static long FirstByteAbove(FileBlock block, int slots, ulong last)
    {
        var cut = block.DataBytes;
        for (var slot = slots; slot < block.Slots; slot++)
        {
            if (block.Index.Positions[slot] >= 0)
            {
                cut = block.Index.Positions[slot];
                break;
            }
        }

        var bytes = block.ReadAll();
        foreach (var position in block.Controls)
        {
            var ranges = bytes.AsSpan()[(position + Record.HeaderBytes)..(position + Record.ReadHeader(bytes.AsSpan(position)).Length)];
            if (position < cut && SpeaksOf(ranges, last))
            {
                return position;
            }
        }

        return cut;
    }

    private static bool SpeaksOf(ReadOnlySpan<byte> ranges, ulong last)
    {
        ulong previous = 0;
        while (RangeList.TryRead(ref ranges, ref previous, out var range))
        {
            if (range.Last > last)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Repeats all removals below the cut, because the cut removed their records.</summary>
    private static void RepeatAllRemovals(FileStore store)
    {
        store.Compactor.DiscardRemovals();
        var ranges = new List<SequenceRange>();
        store.Queries.DeletedRanges(ranges);
        if (store.FirstSequence > 1)
        {
            ranges.Insert(0, new SequenceRange(1, store.FirstSequence - 1));
        }

        foreach (var range in ranges)
        {
            store.Compactor.OnRemoved(range.First, range.Last);
        }

        store.Compactor.TryWriteRemovals();
        if (store.TryFlush())
        {
            store.Committed.Mark();
            store.TrySync();
        }
    }

    private static void RepeatWhatIsNeeded(FileStore store, FileBlock block, SequenceRange range)
    {
        var blocks = store.Blocks;
        for (var i = blocks.IndexAtOrAfter(range.First); i < blocks.Count && blocks[i].First <= range.Last; i++)
        {
            var target = (FileBlock)blocks[i];
            if (!ReferenceEquals(target, block) && target.GarbageBytes > 0)
            {
                store.Compactor.OnRemoved(Math.Max(range.First, target.First), Math.Min(range.Last, target.Next - 1));
            }
        }
    }

    private static void WriteFile(FileStore store, BlockHeader header, ReadOnlySpan<byte> image)
    {
        var name = BlockNames.Block(header.Number);
        var unfinished = name + BlockNames.Temporary;
        using (var file = store.Folder.Create(unfinished))
        {
            if (header.Compressed)
            {
                CompressedBlock.Write(header, image, file);
            }
            else
            {
                file.Write(0, image);
            }

            file.Sync();
        }

        // The repeated removals must be on the disk before the records that they replace are removed.
        if (!store.TryFlush() || !store.TrySync())
        {
            throw new StoreException(StoreFaultKind.IoError, "Cannot flush before a block is replaced.");
        }

        store.Committed.Mark();

        store.Folder.Rename(unfinished, name);
    }
}
