// Hot path: stream engine -> this -> Block. Allocations: none.
using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Storage;

/// <summary>The messages of one stream: appended with consecutive sequences, and removed individually or in ranges.</summary>
/// <remarks>
/// <para>Append all messages of one read, then call <see cref="Commit()"/> once: only then may their acknowledgements
/// be sent. Memory and file stores share this class and with it every rule; they differ in their blocks.</para>
/// <para>Not thread-safe: one caller at a time (the stream's lock). Group commits report from their own thread, see
/// <see cref="StoreDurability"/>.</para>
/// <para>Errors: a <see cref="StoreStatus"/>. Only an index that cannot be read from the disk throws
/// (<see cref="StoreException"/>).</para>
/// </remarks>
internal abstract class MessageStore : IDisposable
{
    // A jump of sequences below this is kept inside the block; above, a new block begins.
    private const int MaxGapInBlock = 4096;

    // Copying a block when three quarters are gone costs a third of a copy per message removed.
    private const int SparseFactor = 4;

    private long _firstTimestamp;
    private bool _firstTimestampKnown;

    /// <summary>Creates an empty store; <paramref name="seed"/> randomises its hash table.</summary>
    protected MessageStore(ulong seed)
    {
        Seed = seed;
        Subjects = new SubjectTable(seed);
        Queries = new StoreQueries(this);
        Scans = new StoreScans(this);
        Retention = new StoreRetention(this);
    }

    /// <summary>Searches and counts over the messages.</summary>
    public StoreQueries Queries { get; }

    /// <summary>Scans of the whole store.</summary>
    public StoreScans Scans { get; }

    /// <summary>Limits, expiry and purges.</summary>
    public StoreRetention Retention { get; }

    /// <summary>Notified of removed messages, or null.</summary>
    public StoreObserver? Observer { get; set; }

    /// <summary>Messages with a time to live, soonest first.</summary>
    public ExpiryQueue Expiries { get; } = new();

    /// <summary>Why the store is read-only, or null.</summary>
    public StoreFault? Fault { get; protected set; }

    /// <summary>The sequence of the next message.</summary>
    public ulong NextSequence => LastSequence + 1;

    /// <summary>The highest sequence that was assigned.</summary>
    public ulong LastSequence { get; protected internal set; }

    /// <summary>The highest sequence that may be read after a commit. Lower than <see cref="LastSequence"/> only while a disk
    /// error prevents cutting off messages whose commit failed.</summary>
    public virtual ulong CommittedSequence => LastSequence;

    /// <summary>Sequence of the oldest message; one more than the last when there is none.</summary>
    public ulong FirstSequence { get; protected internal set; } = 1;

    /// <summary>The number of messages.</summary>
    public long Messages { get; protected internal set; }

    /// <summary>Their size in bytes as reported (and limited): counted like nats-server does.</summary>
    public long Bytes { get; protected internal set; }

    /// <summary>Timestamp of the newest stored message, in nanoseconds since 1970.</summary>
    public long LastTimestamp { get; protected internal set; }

    /// <summary>Whether a further <see cref="Commit()"/> has nothing left to delete: large amounts are deleted in parts.</summary>
    public virtual bool HasNoPendingWork => true;

    /// <summary>The state in one value.</summary>
    public StoreState State => new(
        Messages,
        Bytes,
        LastSequence == 0 && FirstSequence == 1 ? 0 : FirstSequence,
        FirstTimestamp(),
        LastSequence,
        LastTimestamp,
        Subjects.Count);

    internal SubjectTable Subjects { get; private set; }

    internal BlockList Blocks { get; } = new();

    /// <summary>The seed of the hash table, kept for tables that replace it.</summary>
    protected ulong Seed { get; }

    /// <summary>The bytes that a message counts in the state and against limits.</summary>
    public abstract long ReportedBytes(int subjectBytes, int headerBytes, int payloadBytes);

    /// <summary>Makes everything appended and removed since the last commit as durable as configured.</summary>
    /// <param name="commit">The number of the commit, for stores that report durability later.</param>
    /// <returns><see cref="StoreStatus.Ok"/>, or <see cref="StoreStatus.ReadOnly"/> when the disk failed: nothing
    /// since the last commit is in the store then.</returns>
    public abstract StoreStatus Commit(out long commit);

    /// <summary>Makes everything appended and removed since the last commit as durable as configured.</summary>
    public StoreStatus Commit() => Commit(out _);

    /// <summary>Appends a message with the next sequence.</summary>
    /// <param name="subject">UTF-8 subject without wildcards. Copied.</param>
    /// <param name="headers">The NATS header block, or empty. Copied.</param>
    /// <param name="payload">The payload. Copied.</param>
    /// <param name="timestamp">Nanoseconds since 1970; not before the last one.</param>
    /// <param name="timeToLiveSeconds">Time to live in seconds; 0 = no expiry.</param>
    /// <param name="sequence">Its sequence.</param>
    /// <returns><see cref="StoreStatus.Ok"/>, <see cref="StoreStatus.TooLarge"/> or <see cref="StoreStatus.ReadOnly"/>.</returns>
    public StoreStatus Append(
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        long timestamp,
        uint timeToLiveSeconds,
        out ulong sequence)
    {
        sequence = LastSequence + 1;
        var length = Record.LengthOf(subject.Length, headers.Length, payload.Length);
        if (Fault is not null)
        {
            return StoreStatus.ReadOnly;
        }

        if (sequence > SequenceMath.Max)
        {
            return StoreStatus.Exhausted;
        }

        if (length > Record.MaxBytes || subject.Length > Record.MaxSubjectBytes || subject.IsEmpty)
        {
            return StoreStatus.TooLarge;
        }

        var block = Blocks.Active;
        if (!block.Fits((int)length) || block.Next != sequence)
        {
            if (!TryRoll(out block))
            {
                return StoreStatus.ReadOnly;
            }
        }

        if (!block.TryReserve((int)length, out var position, out var target))
        {
            return StoreStatus.ReadOnly;
        }

        var id = Subjects.GetOrAdd(subject);
        ref var entry = ref Subjects[id];
        var back = entry.Count == 0 ? 0 : sequence - entry.Last;
        var header = new RecordHeader
        {
            Sequence = sequence,
            Timestamp = timestamp,
            Back = back > uint.MaxValue ? 0 : (uint)back,
            TimeToLiveSeconds = timeToLiveSeconds,
            Kind = RecordKind.Message,
        };
        Record.Write(target, header, subject, headers, payload);
        Seal(target);
        block.Enter(position, id, header.Back, (int)length | (headers.IsEmpty ? 0 : BlockIndex.HasHeaders), timestamp);
        if (entry.Count++ == 0)
        {
            entry.First = sequence;
            entry.FirstIsBound = false;
        }

        entry.Last = sequence;
        if (Messages++ == 0)
        {
            FirstSequence = sequence;
            _firstTimestampKnown = false;
        }

        Bytes += ReportedBytes(subject.Length, headers.Length, payload.Length);
        LastSequence = sequence;
        LastTimestamp = timestamp;
        if (timeToLiveSeconds != 0)
        {
            Retention.NoteExpiry(block, sequence, ExpiryQueue.MomentOf(timestamp, timeToLiveSeconds));
        }

        if (Retention.HasLimits)
        {
            Retention.EnforceAfterAppend(id);
            if (Fault is not null)
            {
                return StoreStatus.ReadOnly;
            }
        }

        return StoreStatus.Ok;
    }

    /// <summary>Whether a message is not too large for any store, and has a subject.</summary>
    public static bool IsStorable(int subjectBytes, int headerBytes, int payloadBytes)
        => subjectBytes is > 0 and <= Record.MaxSubjectBytes && Record.LengthOf(subjectBytes, headerBytes, payloadBytes) <= Record.MaxBytes;

    /// <summary>Assigns sequences up to and including <paramref name="last"/> without messages.</summary>
    public StoreStatus SkipTo(ulong last)
    {
        if (Fault is not null)
        {
            return StoreStatus.ReadOnly;
        }

        if (last > SequenceMath.Max)
        {
            return StoreStatus.Exhausted;
        }

        if (last <= LastSequence)
        {
            return last == LastSequence ? StoreStatus.Ok : StoreStatus.OutOfOrder;
        }

        NoteRemoved(LastSequence + 1, last);
        CoverGap(last);
        return StoreStatus.Ok;
    }

    /// <summary>Reads one message.</summary>
    /// <returns><see cref="StoreStatus.Ok"/>, <see cref="StoreStatus.NotFound"/>, <see cref="StoreStatus.BeyondEnd"/> or
    /// <see cref="StoreStatus.Damaged"/>.</returns>
    public StoreStatus TryRead(ulong sequence, out StoredMessage message)
    {
        if (!Blocks.TryFindLive(sequence, out var block, out var slot))
        {
            message = default;
            return sequence > LastSequence ? StoreStatus.BeyondEnd : StoreStatus.NotFound;
        }

        var status = block.TryRead(slot, out var record);
        if (status == StoreStatus.Ok) Record.Slice(record, out message);
        else message = default;
        return status;
    }

    /// <summary>Removes one message.</summary>
    public StoreStatus Remove(ulong sequence, RemoveReason reason = RemoveReason.Deleted)
    {
        if (Fault is not null)
        {
            return StoreStatus.ReadOnly;
        }

        if (!Blocks.TryFindLive(sequence, out var block, out var slot))
        {
            return StoreStatus.NotFound;
        }

        RemoveSlot(block, slot, reason);
        return Fault is null ? StoreStatus.Ok : StoreStatus.ReadOnly;
    }

    /// <summary>Removes one message and overwrites its content in place: on the disk after the next flush with <see cref="StoreDurability.PageCache"/>.</summary>
    public StoreStatus Erase(ulong sequence)
    {
        if (Fault is not null)
        {
            return StoreStatus.ReadOnly;
        }

        if (!Blocks.TryFindLive(sequence, out var block, out var slot))
        {
            return StoreStatus.NotFound;
        }

        if (!block.TryErase(slot))
        {
            return StoreStatus.ReadOnly;
        }

        RemoveSlot(block, slot, RemoveReason.Deleted);
        return Fault is null ? StoreStatus.Ok : StoreStatus.ReadOnly;
    }

    /// <summary>Removes everything; the next sequence does not change.</summary>
    /// <returns>The number of messages removed.</returns>
    public long PurgeAll() => PurgeAll(LastSequence + 1);

    /// <summary>Removes everything and continues with <paramref name="next"/>, which is beyond the last sequence.</summary>
    public long PurgeAll(ulong next)
    {
        if (Fault is not null)
        {
            return 0;
        }

        var (messages, bytes) = (Messages, Bytes);
        FirstSequence = next;
        LastSequence = next - 1;
        Messages = 0;
        Bytes = 0;
        _firstTimestampKnown = false;
        ReplaceSubjects();
        Expiries.Clear();
        ResetBlocks(next);
        if (messages > 0)
        {
            Observer?.OnPurged(messages, bytes);
        }

        return messages;
    }

    /// <summary>Removes every sequence above <paramref name="last"/>, as if it had never been assigned.</summary>
    public abstract StoreStatus Truncate(ulong last);

    /// <summary>Makes the store accept nothing more, and write nothing when it is disposed: it is going to be deleted.</summary>
    public void Abandon() => Fault = new StoreFault(StoreFaultKind.Closed, "The store is being deleted.");

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <summary>The bytes that a message in a block counts in the state.</summary>
    internal abstract long ReportedBytes(int lengthAndFlag);

    /// <summary>Removes one message from the counts and its block.</summary>
    internal void RemoveSlot(Block block, int slot, RemoveReason reason)
    {
        var index = block.Index;
        var id = index.SubjectIds[slot];
        var sequence = block.First + (ulong)slot;
        block.Removed.Add(slot);
        block.LiveBytes -= index.LengthOf(slot);
        Messages--;

        // A record that was damaged has no subject any more.
        if (id >= 0)
        {
            TakeFromSubject(block, slot, id, reason);
        }

        NoteRemoved(sequence, sequence);
        if (Fault is not null)
        {
            // Writing the removal failed: the store was rolled back to its last commit, and the block has been replaced.
            return;
        }

        if (sequence == FirstSequence)
        {
            FirstSequence = Blocks.TryFindNextLive(sequence + 1, out var next, out var nextSlot) ? next.First + (ulong)nextSlot : LastSequence + 1;
            _firstTimestampKnown = false;
        }

        if (ReferenceEquals(block, Blocks.Active))
        {
            return;
        }

        if (block.Messages == 0)
        {
            Blocks.Remove(block);
            OnBlockEmptied(block);
        }
        else if (block.KeptBytes * SparseFactor < block.DataBytes)
        {
            OnBlockSparse(block);
        }
    }

    /// <summary>Timestamp of the oldest message; read once after the head moved.</summary>
    internal long FirstTimestamp()
    {
        if (Messages == 0)
        {
            return 0;
        }

        if (!_firstTimestampKnown)
        {
            _firstTimestamp = TryRead(FirstSequence, out var message) == StoreStatus.Ok ? message.Timestamp : 0;
            _firstTimestampKnown = true;
        }

        return _firstTimestamp;
    }

    /// <summary>Covers sequences up to <paramref name="last"/> without messages.</summary>
    protected internal void CoverGap(ulong last)
    {
        var block = Blocks.Active;
        var gap = last + 1 - block.Next;
        LastSequence = last;
        if (Messages == 0)
        {
            FirstSequence = last + 1;
        }

        // A wide gap leaves the active block as it is: Append notices and starts a block at the next sequence.
        if (gap <= MaxGapInBlock)
        {
            block.EnterGap((int)gap);
        }
    }

    private void TakeFromSubject(Block block, int slot, int id, RemoveReason reason)
    {
        var sequence = block.First + (ulong)slot;
        var bytes = ReportedBytes(block.Index.Lengths[slot]);
        Bytes -= bytes;
        ref var entry = ref Subjects[id];
        var lastOfSubject = --entry.Count == 0;
        Observer?.OnRemoved(Subjects.NameOf(id), sequence, bytes, reason, lastOfSubject);
        if (lastOfSubject)
        {
            Subjects.Release(id);
            return;
        }

        if (sequence == entry.First)
        {
            entry.First++;
            entry.FirstIsBound = true;
        }

        if (sequence == entry.Last)
        {
            entry.Last = Queries.PreviousOfSubject(id, block, slot);
        }
    }

    /// <summary>Starts with an empty subject table.</summary>
    protected void ReplaceSubjects()
    {
        Subjects.Dispose();
        Subjects = new SubjectTable(Seed);
    }

    /// <summary>Clears the cached timestamp of the head.</summary>
    protected void HeadMoved() => _firstTimestampKnown = false;

    /// <summary>Releases memory above the budget. Called where nothing of a block's index is in use.</summary>
    protected internal virtual void TrimCaches()
    {
    }

    /// <summary>Releases what a pass over all blocks loaded of one block.</summary>
    protected internal virtual void Release(Block block)
    {
    }

    /// <summary>Finishes a record: a file store adds its checksum.</summary>
    protected abstract void Seal(Span<byte> record);

    /// <summary>Opens the next block, at <see cref="NextSequence"/>.</summary>
    protected abstract bool TryRoll(out Block block);

    /// <summary>Whether a block can be begun before the old ones are deleted: false on a full disk.</summary>
    internal virtual bool HasRoomForBlock() => true;

    /// <summary>Drops all blocks and starts with an empty one at <paramref name="first"/>.</summary>
    protected abstract void ResetBlocks(ulong first);

    /// <summary>Called when a block lost its last message and was removed from the list.</summary>
    protected abstract void OnBlockEmptied(Block block);

    /// <summary>Called when less than a quarter of a block's bytes are still messages, so that it should be compacted.</summary>
    protected abstract void OnBlockSparse(Block block);

    /// <summary>Called when sequences were removed or skipped: a file store writes them with the next commit.</summary>
    protected abstract void NoteRemoved(ulong first, ulong last);

    /// <summary>Releases memory and handles.</summary>
    protected virtual void Dispose(bool disposing)
    {
        if (disposing)
        {
            Subjects.Dispose();
            foreach (var block in Blocks.Span)
            {
                block.Dispose();
            }

            Blocks.Clear();
        }
    }
}
