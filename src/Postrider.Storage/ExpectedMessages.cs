using Postrider.Storage.Blocks;

namespace Postrider.Storage;

/// <summary>What the snapshot of the last clean end and the blocks' indexes tell about a store, in addition to the blocks: with it a store
/// that lost blocks, or their ends, knows its last sequence, which messages it lost and which were deleted.</summary>
/// <remarks>A snapshot may be old: blocks that it names and that do not exist may have been emptied and deleted since. These only count as lost
/// if nothing was written since, or if no later block exists, as the newest block is never deleted. Not thread-safe.</remarks>
internal sealed class ExpectedMessages
{
    private readonly SortedDictionary<uint, Part> _parts = [];
    private CheckpointBlock[] _snapshot = [];
    private ulong _snapshotLast;

    /// <summary>The highest sequence that was assigned.</summary>
    public ulong LastSequence { get; private set; }

    /// <summary>The timestamp of the newest known message.</summary>
    public long LastTimestamp { get; private set; }

    /// <summary>The highest known number of a block.</summary>
    public uint LastBlock { get; private set; }

    /// <summary>Whether a block is shorter than in the snapshot: records of removals may be cut off without any other trace.</summary>
    public bool IsCutShort { get; private set; }

    /// <summary>Adds the content of a snapshot.</summary>
    /// <param name="snapshot">A snapshot of this store.</param>
    /// <param name="headers">The existing blocks.</param>
    public void Add(CheckpointContents snapshot, List<(BlockHeader Header, long Length)> headers)
    {
        _snapshot = snapshot.Blocks;
        _snapshotLast = snapshot.LastSequence;
        Know(snapshot.LastSequence, snapshot.LastTimestamp);
        if (_snapshot.Length == 0) return;
        LastBlock = Math.Max(LastBlock, _snapshot[^1].Number);
        var newest = _snapshot[^1];
        var last = headers.Count > 0 ? headers[^1] : default;
        var isUnchanged = last.Header.Number == newest.Number && last.Length == newest.FileBytes && IsSame(last.Header, newest);
        foreach (var block in _snapshot)
        {
            var at = headers.FindIndex(found => found.Header.Number == block.Number);
            var mayBeLost = at < 0
                ? isUnchanged || block.Number > last.Header.Number
                : IsSame(headers[at].Header, block) && (at == headers.Count - 1 || headers[at].Length < block.FileBytes);
            IsCutShort |= at >= 0 && IsSame(headers[at].Header, block) && headers[at].Length < block.FileBytes;
            if (mayBeLost) Expect(block.Number, block.First, block.Slots, block.Removed, isMissing: at < 0);
        }
    }

    /// <summary>Adds the index of a block whose file does not exist, or of the newest block.</summary>
    /// <param name="number">The block's number.</param>
    /// <param name="index">Its index.</param>
    /// <param name="isMissing">Whether the block itself does not exist.</param>
    public void Add(uint number, BlockContents index, bool isMissing)
    {
        var removed = new RemovedSet();
        var ids = index.ToIndex(index.MapSubjects(static (_, _, _) => 0));
        for (var slot = 0; slot < index.Slots; slot++)
        {
            if (ids.SubjectIds[slot] < 0) removed.Add(slot);
        }

        ids.Dispose();
        Know(index.First + (ulong)index.Slots - 1, index.LastTimestamp);
        LastBlock = Math.Max(LastBlock, number);
        Expect(number, index.First, index.Slots, removed, isMissing);
    }

    /// <summary>The sequence after the last one that a block is known to cover; 0 when unknown.</summary>
    public ulong EndOf(uint number) => _parts.TryGetValue(number, out var part) ? part.First + (ulong)part.Slots : 0;

    /// <summary>Adds removed sequences of a removal record.</summary>
    public void OnRemoved(ulong first, ulong last)
    {
        foreach (var part in _parts.Values)
        {
            for (var sequence = Math.Max(first, part.First); sequence <= last && sequence < part.First + (ulong)part.Slots; sequence++)
                part.Removed.Add((int)(sequence - part.First));
        }
    }

    /// <summary>Reports the messages that are missing in a store that was read from its blocks.</summary>
    public void FindLost(FileStore store, RecoveryReport report)
    {
        var named = report.Damaged.ToArray();
        foreach (var (number, part) in _parts)
        {
            var what = part.IsMissing ? $"block {number:x8} is missing" : $"the end of block {number:x8} is missing or damaged";
            ulong first = 0;
            ulong last = 0;
            for (var slot = part.Removed.NextLive(0); slot < part.Slots; slot = part.Removed.NextLive(slot + 1))
            {
                var sequence = part.First + (ulong)slot;
                if (store.Blocks.TryFindLive(sequence, out _, out _) || IsDeleted(sequence) || Array.Exists(named, range => range.LostFirst <= sequence && sequence <= range.LostLast)) continue;
                if (first > 0 && sequence != last + 1)
                {
                    report.Damaged.Add(new DamagedRange(number, 0, 0, first, last, what));
                    first = 0;
                }

                first = first == 0 ? sequence : first;
                last = sequence;
            }

            if (first > 0) report.Damaged.Add(new DamagedRange(number, 0, 0, first, last, what));
        }
    }

    /// <summary>Removes messages again that the snapshot lists as deleted: the records of their removal were lost.</summary>
    /// <returns>The number of messages that had come back.</returns>
    public long RemoveDeleted(FileStore store)
    {
        if (_snapshot.Length == 0) return 0;
        long removed = 0;
        for (ulong from = 0; store.Blocks.TryFindNextLive(from, out var block, out var slot) && block.First + (ulong)slot is var sequence && sequence <= _snapshotLast; from = sequence + 1)
        {
            if (!IsDeleted(sequence)) continue;
            store.RemoveSlot(block, slot, RemoveReason.Deleted);
            store.Compactor.OnRemoved(sequence, sequence);
            removed++;
        }

        return removed;
    }

    private static bool IsSame(BlockHeader header, CheckpointBlock block)
        => header.First == 0 || (header.Generation == block.Generation && header.First == block.First);

    private void Know(ulong last, long timestamp)
    {
        LastSequence = Math.Max(LastSequence, last);
        LastTimestamp = Math.Max(LastTimestamp, timestamp);
    }

    private void Expect(uint number, ulong first, int slots, RemovedSet removed, bool isMissing)
    {
        // The index dates from the time at which the block became full; the snapshot may be newer, or older than a rewrite.
        if (_parts.TryGetValue(number, out var known) && known.First == first)
        {
            for (var slot = 0; slot < slots; slot++)
            {
                if (removed.Contains(slot)) known.Removed.Add(slot);
            }

            if (slots <= known.Slots) return;
            slots = Math.Max(slots, known.Slots);
            _parts[number] = known with { Slots = slots };
            return;
        }

        var own = new RemovedSet();
        own.Load(removed.Words);
        _parts[number] = new Part(first, slots, own, isMissing);
    }

    private bool IsDeleted(ulong sequence)
    {
        if (_snapshot.Length == 0 || sequence > _snapshotLast) return false;
        var at = Array.FindIndex(_snapshot, block => sequence < block.Next);
        return at < 0 || sequence < _snapshot[at].First || _snapshot[at].Removed.Contains((int)(sequence - _snapshot[at].First));
    }

    private sealed record Part(ulong First, int Slots, RemovedSet Removed, bool IsMissing);
}
