using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;

namespace Postrider.Storage;

/// <summary>The work that a file store does with its commits: it writes removals, deletes blocks without messages,
/// and has sparse blocks rewritten.</summary>
/// <remarks>Not thread-safe, like its store.</remarks>
internal sealed class BlockCompactor(FileStore store)
{
    /// <summary>Maximum number of blocks that one commit deletes: 16 of 8 MiB take about 6 ms, during which publishers to the stream wait.</summary>
    public const int MaxDropped = 16;

    // A removal record this long is written at once instead of with the commit.
    private const int MaxRemovalBytes = 64 * 1024;

    private readonly RangeList _removals = new();
    private readonly Queue<FileBlock> _rewrites = new();
    private readonly Queue<FileBlock> _erased = new();
    private List<FileBlock> _emptied = [];
    private BlockRewrite? _rewriting;
    private bool _isDue;

    /// <summary>Called when a block waits for <see cref="BeginRewrite"/>, which has to be called on another thread. Null: a commit rewrites it.</summary>
    /// <remarks>A rewrite waits for the disk, during which publishers to the stream would wait too.</remarks>
    public Action? RewriteDue { get; set; }

    /// <summary>Whether <see cref="Run"/> has something to do.</summary>
    public bool HasWork => _emptied.Count + _erased.Count > 0 || (_rewrites.Count > 0 && !_isDue);

    /// <summary>Whether blocks wait to be deleted.</summary>
    public bool HasEmptied => _emptied.Count > 0;

    /// <summary>The number of commits needed to delete the blocks that wait for it.</summary>
    public int PassesLeft => (_emptied.Count + MaxDropped - 1) / MaxDropped;

    /// <summary>The first message of the newest block that has no removal record after it. A write that was cut short contains messages
    /// without the removals that belong to them.</summary>
    public ulong FirstWithoutRemovals()
    {
        var newest = (FileBlock)store.Blocks.Active;
        var slot = newest.Slots;
        var last = newest.Controls.Count > 0 ? newest.Controls[^1] : -1;
        while (slot > 0 && newest.Index.Positions[slot - 1] is var position && (position < 0 || position > last)) slot--;
        return newest.First + (ulong)slot;
    }

    /// <summary>Commits until no work is left: rewriting one block may empty another.</summary>
    public bool CompactFully()
    {
        var status = store.Commit();
        for (var left = 8 + PassesLeft; left > 0 && status == StoreStatus.Ok && HasEmptied; left--)
        {
            status = store.Commit();
        }

        return status == StoreStatus.Ok;
    }

    /// <summary>Records that sequences were removed or skipped.</summary>
    public void OnRemoved(ulong first, ulong last)
    {
        _removals.Add(first, last);
        if (_removals.EstimatedBytes > MaxRemovalBytes)
        {
            TryWriteRemovals();
        }
    }

    /// <summary>Records that a block was removed from the store's list and must be deleted.</summary>
    public void Emptied(FileBlock block) => _emptied.Add(block);

    /// <summary>Schedules the rewrite of a block after the next commit.</summary>
    public void Rewrite(FileBlock block)
    {
        if (!_rewrites.Contains(block))
        {
            _rewrites.Enqueue(block);
        }
    }

    /// <summary>Has the next commit rewrite a block with an erased message.</summary>
    public void RewriteErased(FileBlock block)
    {
        Erased(block);
        if (!_erased.Contains(block))
        {
            _erased.Enqueue(block);
        }
    }

    /// <summary>A message of a block is erased: a copy that may contain it does not replace the block.</summary>
    public void Erased(FileBlock block)
    {
        if (!ReferenceEquals(_rewriting?.Block, block)) return;
        _rewriting.Cancel();
        Rewrite(block);
    }

    /// <summary>Begins the rewrite of a block that waits for it, after a commit.</summary>
    /// <returns>The rewrite; null when none waits or the store is read-only.</returns>
    public BlockRewrite? BeginRewrite()
    {
        while (store.Fault is null && !HasUncommitted && _rewriting is null && _rewrites.TryDequeue(out var sparse))
        {
            if (IsFull(sparse)) return _rewriting = new BlockRewrite(store, sparse, concurrent: true);
        }

        _isDue = false;
        return null;
    }

    /// <summary>A rewrite has ended.</summary>
    public void Ended(BlockRewrite rewrite)
    {
        if (ReferenceEquals(rewrite, _rewriting)) _rewriting = null;
    }

    /// <summary>Returns the blocks that wait to be deleted; the caller deletes them.</summary>
    public List<FileBlock> TakeEmptied()
    {
        var taken = _emptied;
        _emptied = [];
        return taken;
    }

    /// <summary>Drops all pending work.</summary>
    public void Clear()
    {
        _removals.Clear();
        _rewrites.Clear();
        _erased.Clear();
        _emptied.Clear();
    }

    /// <summary>Drops the removals of the next commit.</summary>
    public void DiscardRemovals() => _removals.Clear();

    /// <summary>Adds the removals recorded so far to the newest block's buffer.</summary>
    public bool TryWriteRemovals()
    {
        if (_removals.IsEmpty)
        {
            return true;
        }

        var done = TryWriteControl(RecordKind.Removal, store.LastSequence, _removals.Finish());
        _removals.Clear();
        return done;
    }

    /// <summary>Writes the removal of a message at once, with the removals that wait.</summary>
    public bool TryWriteRemoval(ulong sequence)
    {
        _removals.Add(sequence, sequence);
        return TryWriteRemovals();
    }

    /// <summary>Reads the removals that a block records. Any thread.</summary>
    public List<SequenceRange> ReadRemovals(FileBlock block, byte[] bytes)
    {
        var removals = new List<SequenceRange>();
        if (block.ControlBytes == 0)
        {
            return removals;
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
                removals.Add(range);
            }
        }

        return removals;
    }

    /// <summary>Repeats, in the newest block, the removals that an obsolete block records of messages that are still in older files.</summary>
    public void RepeatRemovals(FileBlock block, List<SequenceRange> removals)
    {
        foreach (var range in removals)
        {
            RepeatWhatIsNeeded(block, range);
        }

        TryWriteRemovals();
    }

    /// <summary>Appends a record that is not a message.</summary>
    public bool TryWriteControl(RecordKind kind, ulong sequence, ReadOnlySpan<byte> payload)
    {
        var length = Record.HeaderBytes + payload.Length;
        if (!store.TryGetRoom(length, out var block) || !block.TryReserve(length, out var position, out var target))
        {
            return false;
        }

        Record.Write(target, new RecordHeader { Kind = kind, Sequence = sequence, Timestamp = store.LastTimestamp }, default, default, payload);
        Record.Seal(target, store.Files.Salt);
        block.Controls.Add(position);
        block.ControlBytes += length;
        return true;
    }

    /// <summary>Removes the blocks before the newest one that contain no message from the list.</summary>
    public void SweepEmptied()
    {
        foreach (var block in store.Blocks.Span.ToArray().SkipLast(1).Where(b => b.Messages == 0))
        {
            store.Blocks.Remove(block);
            _emptied.Add((FileBlock)block);
        }
    }

    /// <summary>Deletes blocks that lost their last message. Throws the exceptions of the file system.</summary>
    /// <param name="max">The maximum number; the others wait.</param>
    public void DropEmptied(int max)
    {
        // Repeating removals may begin a block and empty another one, which waits for the next time.
        var dropped = TakeEmptied();
        if (dropped.Count > max)
        {
            _emptied = dropped[max..];
            dropped.RemoveRange(max, dropped.Count - max);
        }

        foreach (var block in dropped)
        {
            if (block.ControlBytes > 0)
            {
                RepeatRemovals(block, ReadRemovals(block, block.ReadAll()));
            }
        }

        if (!store.TryFlush())
        {
            return;
        }

        // Blocks deleted next cannot be restored: the repeated removals stay, whatever fails.
        store.Committed.Mark();
        if (dropped.Count > 0 && store.Options.Durability != StoreDurability.PageCache)
        {
            // The records of the removals must be on the disk before the messages are deleted.
            store.Files.Dirty.Sync();
        }

        dropped.ForEach(store.Files.Delete);
    }

    /// <summary>Deletes emptied blocks and rewrites one sparse block, after the commit that made them so. Throws the exceptions of the
    /// file system.</summary>
    public void Run()
    {
        DropEmptied(MaxDropped);
        while (_erased.TryDequeue(out var erased))
        {
            if (IsFull(erased)) BlockRewrite.Run(store, erased);
        }

        if (RewriteDue is not null)
        {
            if (_rewrites.Count == 0 || _isDue) return;
            _isDue = true;
            RewriteDue();
            return;
        }

        while (_rewrites.TryDequeue(out var sparse))
        {
            if (!IsFull(sparse)) continue;
            BlockRewrite.Run(store, sparse);
            break;
        }
    }

    private bool HasUncommitted => !_removals.IsEmpty || ((FileBlock)store.Blocks.Active).UnwrittenBytes > 0;

    private bool IsFull(FileBlock block) => block.IsSealed && store.Blocks.Span.Contains(block);

    private void RepeatWhatIsNeeded(FileBlock block, SequenceRange range)
    {
        var blocks = store.Blocks;
        for (var i = blocks.IndexAtOrAfter(range.First); i < blocks.Count && blocks[i].First <= range.Last; i++)
        {
            var target = (FileBlock)blocks[i];
            if (!ReferenceEquals(target, block) && target.GarbageBytes > 0)
            {
                OnRemoved(Math.Max(range.First, target.First), Math.Min(range.Last, target.Next - 1));
            }
        }
    }
}
