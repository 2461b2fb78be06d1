using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Records;

namespace Postrider.Storage;

/// <summary>The position of a file store's last commit. Everything after it was not acknowledged and is cut off when a
/// commit fails, in the newest block and in blocks that were started since; a truncation moves it back.</summary>
/// <remarks>Not thread-safe, like its store.</remarks>
internal sealed class CommitPoint(FileStore store)
{
    private uint _block;
    private long _length;

    /// <summary>The last sequence that was committed.</summary>
    public ulong Sequence { get; private set; }

    /// <summary>Whether the last cut failed: the files contain more than was committed.</summary>
    public bool MustCut { get; private set; }

    /// <summary>Records that everything in the store is committed.</summary>
    public void Mark()
    {
        var active = (FileBlock)store.Blocks.Active;
        (_block, _length, Sequence) = (active.Header.Number, active.DataBytes, store.LastSequence);
    }

    /// <summary>Cuts the files back to the last commit.</summary>
    /// <returns>False when the disk failed.</returns>
    public bool TryCut()
    {
        if (_block == 0)
        {
            return true;
        }

        // The newest block may be one of those that are removed; the store sets the name again when it has read the remaining ones.
        store.Files.Newest = null;
        try
        {
            foreach (var name in store.Folder.Files())
            {
                if (BlockNames.TryParseBlock(name, out var number) && number > _block)
                {
                    store.Folder.Delete(name);
                    store.Folder.Delete(BlockNames.Index(number));
                }
            }

            Cut();
            store.Files.Dirty.EntriesChanged();
            MustCut = false;
            return true;
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            store.Unreadable.Add($"Cannot cut {store.Folder.Path} back to the last commit: {e.Message}");
            MustCut = true;
            return false;
        }
    }

    /// <summary>Removes every sequence above <paramref name="last"/> from memory and disk.</summary>
    public bool Truncate(ulong last)
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
            CutNewest(last);
            Mark();
            RepeatAllRemovals();
        });

    private void Cut()
    {
        foreach (var block in store.Blocks.Span)
        {
            var file = (FileBlock)block;
            if (file.Header.Number != _block)
            {
                continue;
            }

            // The index of a block that became full meanwhile contains what is cut off.
            if (file.IsSealed)
            {
                store.Folder.Delete(BlockNames.Index(_block));
            }

            Cut(file.File);
            store.Files.Dirty.Add(file.File, store.LastCommit);
            return;
        }

        // The block lost its last message meanwhile: it is no longer in the list, but still on the disk.
        if (!store.Folder.Files().Contains(BlockNames.Block(_block), StringComparer.Ordinal))
        {
            return;
        }

        store.Folder.Delete(BlockNames.Index(_block));
        using var left = store.Folder.Open(BlockNames.Block(_block), writable: true);
        Cut(left);
        left.Sync();
    }

    private void Cut(IStoreFile file)
    {
        if (file.Length > _length)
        {
            file.SetLength(_length);
        }
    }

    private void CutNewest(ulong last)
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
            BlockRewrite.Run(store, newest);
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
    private void RepeatAllRemovals()
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
            Mark();
            store.TrySync();
        }
    }
}
