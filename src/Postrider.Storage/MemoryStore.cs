using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;

namespace Postrider.Storage;

/// <summary>A store whose messages are in native memory and end with the process.</summary>
/// <remarks>Small streams stay small: blocks begin at 16 KiB and double up to 1 MiB. A block that is less than half in use
/// is compacted when the next one begins or when enough was removed since.</remarks>
internal sealed class MemoryStore : MessageStore
{
    private const int MinBlockBytes = 16 * 1024;

    // 1 MiB: above it appending is bound by page faults, not by the number of blocks.
    private const int MaxBlockBytes = 1024 * 1024;
    private const int TypicalRecordBytes = 128;

    // Skipped slots have no record: their number tells nothing about the next block.
    private const int MinRecordBytes = 64;

    private long _commits;
    private int _nextBlockBytes = MinBlockBytes;

    /// <summary>Creates an empty store.</summary>
    /// <param name="seed">Randomises the hash table.</param>
    /// <param name="firstSequence">The sequence of the first message.</param>
    public MemoryStore(ulong seed, ulong firstSequence = 1)
        : base(seed)
    {
        FirstSequence = firstSequence;
        LastSequence = firstSequence - 1;
        Blocks.Add(NewBlock(firstSequence));
    }

    /// <summary>Native bytes held for messages, their index and the subjects.</summary>
    public long NativeBytes
    {
        get
        {
            var bytes = Subjects.Bytes;
            foreach (var block in Blocks.Span)
            {
                bytes += ((MemoryBlock)block).NativeBytes;
            }

            return bytes;
        }
    }

    /// <inheritdoc/>
    public override long ReportedBytes(int subjectBytes, int headerBytes, int payloadBytes)
        => (long)subjectBytes + headerBytes + payloadBytes + 16;

    /// <inheritdoc/>
    public override StoreStatus Commit(out long commit)
    {
        commit = ++_commits;
        return StoreStatus.Ok;
    }

    /// <inheritdoc/>
    public override StoreStatus Truncate(ulong last)
    {
        if (last >= LastSequence)
        {
            return last == LastSequence ? StoreStatus.Ok : StoreStatus.BeyondEnd;
        }

        while (Messages > 0 && Blocks.TryFindPreviousLive(LastSequence, out var block, out var slot) && block.First + (ulong)slot > last)
        {
            RemoveSlot(block, slot, RemoveReason.Purged);
        }

        for (var i = Blocks.Count - 1; i > 0 && Blocks[i].First > last; i--)
        {
            var block = Blocks[i];
            Blocks.Remove(block);
            block.Dispose();
        }

        var active = (MemoryBlock)Blocks.Active;
        if (active.First > last)
        {
            ResetBlocks(last + 1);
        }
        else if (active.Next > last + 1)
        {
            active.Truncate((int)(last + 1 - active.First));
        }

        LastSequence = last;
        Expiries.Truncate(last);
        if (Messages == 0)
        {
            FirstSequence = last + 1;
        }

        return StoreStatus.Ok;
    }

    /// <inheritdoc/>
    internal override long ReportedBytes(int lengthAndFlag) => (lengthAndFlag & int.MaxValue) - Record.HeaderBytes + 16;

    /// <inheritdoc/>
    protected override void Seal(Span<byte> record)
    {
        // Memory is not checked: a checksum would only guard against defects of the program.
    }

    /// <inheritdoc/>
    protected override bool TryRoll(out Block block)
    {
        var full = (MemoryBlock)Blocks.Active;
        var slots = full.Index.Count;
        full.Index.TrimExcess();
        block = NewBlock(NextSequence, full.DataBytes / Math.Max(slots, 1));
        if (full.Messages == 0)
        {
            Blocks.Remove(full);
            full.Dispose();
        }

        Blocks.Add(block);
        return true;
    }

    /// <inheritdoc/>
    protected override void ResetBlocks(ulong first)
    {
        foreach (var block in Blocks.Span)
        {
            block.Dispose();
        }

        Blocks.Clear();
        _nextBlockBytes = MinBlockBytes;
        Blocks.Add(NewBlock(first));
    }

    /// <inheritdoc/>
    protected override void OnBlockEmptied(Block block) => block.Dispose();

    /// <inheritdoc/>
    protected override void OnBlockSparse(Block block)
    {
        Blocks.Replace(block, ((MemoryBlock)block).Compacted());
        block.Dispose();
    }

    /// <inheritdoc/>
    protected override void NoteRemoved(ulong first, ulong last)
    {
        // Memory ends with the process: removals need not be recorded.
    }

    private MemoryBlock NewBlock(ulong first, long recordBytes = TypicalRecordBytes)
    {
        var bytes = _nextBlockBytes;
        _nextBlockBytes = Math.Min(MaxBlockBytes, bytes * 2);
        return new MemoryBlock(first, bytes, (int)(bytes / Math.Max(recordBytes, MinRecordBytes)) + 1);
    }
}
