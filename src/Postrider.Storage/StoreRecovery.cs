using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Storage;

/// <summary>Opens the files of a store: from the snapshot of the last clean end, else from the blocks' indexes, else from
/// their records.</summary>
/// <remarks>Nothing is deleted except what a later record removes. Not thread-safe: no state.</remarks>
internal static class StoreRecovery
{
    /// <summary>Fills an empty store.</summary>
    public static void Run(FileStore store, RecoveryReport report)
    {
        var folder = store.Folder;
        var names = folder.Files();
        var snapshot = StoreCheckpoint.TryRead(folder);
        var headers = BlockHeaders.Read(store, names, snapshot, report);
        report.Expected = LossCheck.Collect(store, names, headers, snapshot, report);
        var (notes, damaged) = (report.Notes.Count, report.Damaged.Count);
        Tidy(store, names, headers);
        if (!TryLoadSnapshot(store, headers, report))
        {
            store.Forget();
            report.Damaged.RemoveRange(damaged, report.Damaged.Count - damaged);
            report.Notes.RemoveAll(note => report.Notes.IndexOf(note) >= notes && note.StartsWith("Block ", StringComparison.Ordinal));
            report.TornBytes = 0;

            // One buffer for all blocks, outside the managed heap: one for each left hundreds of megabytes of garbage.
            using var buffer = new NativeArray<byte>(BlockHeader.Bytes);
            for (var i = 0; i < headers.Count; i++)
            {
                store.Options.Progress?.Invoke(i, headers.Count);
                LoadBlock(store, headers[i], i + 1 < headers.Count ? headers[i + 1].Header : default, buffer, report);
            }
        }

        Finish(store, headers, report);
        report.Expected = new ExpectedMessages();
    }

    /// <summary>Adds the records of a scanned block.</summary>
    /// <param name="store">The store.</param>
    /// <param name="block">An empty block.</param>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="countFrom">Slots below this are already counted in the store (from a snapshot).</param>
    /// <param name="controlsFrom">Removals before this position are already applied.</param>
    /// <param name="nextFirst">First sequence of the block after it, 0 when it is the newest: damage at the end that loses no
    /// sequence is a write that was cut short.</param>
    /// <param name="report">Receives the damage.</param>
    /// <param name="knownBytes">The size of the block when it was full, in bytes; 0 when unknown.</param>
    /// <returns>The end of the last intact record.</returns>
    public static int EnterScanned(FileStore store, FileBlock block, ReadOnlySpan<byte> bytes, int countFrom, long controlsFrom, ulong nextFirst, RecoveryReport report, int knownBytes = 0)
    {
        var scanner = new BlockScanner(bytes, store.Files.Salt, block.First);
        var index = new BlockIndex(1024);
        block.Attach(index);
        while (scanner.MoveNext())
        {
            var header = Record.ReadHeader(scanner.Record);
            if (scanner.Skipped > 0)
            {
                var last = header.Kind == RecordKind.Message ? header.Sequence - 1 : 0;
                report.Damaged.Add(new DamagedRange(block.Header.Number, scanner.Position - scanner.Skipped, scanner.Skipped, last >= block.Next ? block.Next : 0, last >= block.Next ? last : 0));
            }

            if (header.Kind is RecordKind.Removal or RecordKind.Head)
            {
                block.Controls.Add(scanner.Position);
                block.ControlBytes += header.Length;
            }
            else if (header.Sequence >= block.Next)
            {
                EnterMessage(store, block, scanner.Record, scanner.Position, countFrom, report);
            }
        }

        if (scanner.Skipped > 0)
        {
            if (nextFirst <= block.Next)
            {
                report.TornBytes += scanner.Skipped;
                report.Notes.Add($"Block {block.Header.Number:x8}: {scanner.Skipped} bytes of an unfinished write at {scanner.End}.");
            }
            else
            {
                report.Damaged.Add(new DamagedRange(block.Header.Number, scanner.End, scanner.Skipped, block.Next, nextFirst - 1));
            }
        }

        else if (block.Slots == 0 && block.Controls.Count == 0 && nextFirst > block.Next)
        {
            report.Damaged.Add(new DamagedRange(block.Header.Number, 0, bytes.Length, block.Next, nextFirst - 1, $"block {block.Header.Number:x8} is empty"));
        }
        else if (bytes.Length < knownBytes)
        {
            // Cut exactly after a record: nothing in the block itself shows that there was more.
            var lostLast = nextFirst > block.Next ? nextFirst - 1 : 0;
            report.Damaged.Add(new DamagedRange(block.Header.Number, bytes.Length, knownBytes - bytes.Length, lostLast == 0 ? 0 : block.Next, lostLast));
        }

        foreach (var position in block.Controls)
        {
            if (position >= controlsFrom)
            {
                ApplyControl(store, bytes[position..], report);
            }
        }

        return scanner.End;
    }

    private static bool TryLoadSnapshot(FileStore store, List<(BlockHeader Header, long Length)> headers, RecoveryReport report)
    {
        try
        {
            return StoreCheckpoint.TryLoad(store, headers, report);
        }
        catch (Exception e) when (e is InvalidDataException or ArgumentException or IndexOutOfRangeException)
        {
            // Intact by its checksum, but of another store: the blocks have to be read.
            report.Notes.Add($"The snapshot does not match the blocks and is ignored: {e.Message}");
            return false;
        }
    }

    /// <summary>Deletes half-written files of a crash, and indexes without a block.</summary>
    private static void Tidy(FileStore store, IReadOnlyList<string> names, List<(BlockHeader Header, long Length)> headers)
    {
        try
        {
            foreach (var name in names)
            {
                var orphan = BlockNames.TryParseIndex(name, out var number) && !headers.Exists(h => h.Header.Number == number);
                if (orphan || name.EndsWith(BlockNames.Temporary, StringComparison.Ordinal))
                {
                    store.Folder.Delete(name);
                }
            }
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            store.BecomeReadOnly("tidy up", e);
        }
    }

    // A power failure may leave the file of a new block without its header, and so without the salt that its records are
    // checked with: records appended now must be readable later.
    private static void WriteHeader(FileStore store, FileBlock block)
    {
        try
        {
            var bytes = new byte[BlockHeader.Bytes];
            block.Header.Write(bytes);
            block.File.Write(0, bytes);
            store.Files.Dirty.Add(block.File, store.LastCommit);
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            store.BecomeReadOnly("write the header of a block", e);
        }
    }

    private static void LoadBlock(
        FileStore store, (BlockHeader Header, long Length) found, BlockHeader next, NativeArray<byte> buffer, RecoveryReport report)
    {
        var nextFirst = next.First;
        var isNewest = nextFirst == 0;
        var (header, length) = found;
        if (header.First > store.LastSequence + 1 || store.Blocks.Count == 0)
        {
            // The sequences in between were purged, dropped, or are missing: the numbers of the files show which.
            store.LastSequence = Math.Max(store.LastSequence, Math.Max(header.First, 1) - 1);
            store.FirstSequence = store.Messages == 0 ? store.LastSequence + 1 : store.FirstSequence;
        }

        if (header.First < store.LastSequence + 1)
        {
            header = header with { First = store.LastSequence + 1 };
        }

        report.Blocks++;
        var block = new FileBlock(store, store.Folder, header, null, length);
        store.Blocks.Add(block);
        if (!isNewest
            && header.First == found.Header.First
            && BlockIndexFile.TryRead(store.Folder, header, header.Compressed ? -1 : length, out var contents)
            && contents.First == header.First)
        {
            EnterIndexed(store, block, contents, report);

            // Later readers load the index from the disk: a stream without readers keeps none.
            store.Release(block);
            return;
        }

        if (!isNewest && BlockIndexFile.TryRead(store.Folder, header, -1, out contents))
        {
            // The index belongs to this generation, and the block is longer or shorter: it must contain the messages of the index all the same.
            report.Expected.Add(header.Number, contents, isMissing: false);
        }

        var bytes = block.ReadAll(buffer);
        if (isNewest && (bytes.Length < BlockHeader.Bytes || !BlockHeader.TryRead(bytes, out _)))
        {
            WriteHeader(store, block);
        }

        var knownBytes = found.Header is { Generation: 0, First: > 0 } && next.Number == header.Number + 1 ? next.PrecedingBytes : 0;
        var end = EnterScanned(store, block, bytes, 0, 0, nextFirst, report, knownBytes);

        // Bytes at the end of the newest block are an unfinished write, and are cut off, unless there is known to have been more.
        var isHarmed = end < bytes.Length && (block.Next < report.Expected.EndOf(header.Number) || report.Damaged.Exists(range => range.Block == header.Number && range.Offset == 0));
        if (isNewest && !header.Compressed && !isHarmed)
        {
            block.Resume(end);
            return;
        }

        report.IndexesRebuilt++;
        block.Resume(bytes.Length);
        block.Seal();
        TryWriteIndex(store, block);
        store.Options.Memory.Add(block.Index.Bytes);
        store.Release(block);
    }

    private static void TryWriteIndex(FileStore store, FileBlock block)
    {
        try
        {
            BlockIndexFile.Write(store.Folder, block, store.Subjects);
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            store.BecomeReadOnly("write an index", e);
        }
    }

    private static void EnterIndexed(FileStore store, FileBlock block, BlockContents contents, RecoveryReport report)
    {
        var subjects = store.Subjects;
        var ids = contents.MapSubjects((bytes, at, length) => subjects.GetOrAdd(bytes.AsSpan(at, length)));
        var index = contents.ToIndex(ids);
        block.Attach(index);
        long live = 0;
        long reported = 0;
        for (var slot = 0; slot < contents.Slots; slot++)
        {
            var id = index.SubjectIds[slot];
            if (id < 0)
            {
                block.Removed.Add(slot);
                continue;
            }

            Count(store, id, block.First + (ulong)slot);
            live += index.LengthOf(slot);
            reported += store.ReportedBytes(index.Lengths[slot]);
        }

        store.Bytes += reported;
        block.LiveBytes = live;
        block.Restore(contents.Slots, contents.LastTimestamp, null);
        store.LastSequence = Math.Max(store.LastSequence, block.Next - 1);
        store.LastTimestamp = Math.Max(store.LastTimestamp, contents.LastTimestamp);
        for (var i = 0; i < contents.ExpiryCount; i++)
        {
            var (slot, at) = contents.Expiry(i);
            store.Expiries.Add(block.First + (ulong)slot, at);
        }

        block.Resume(contents.DataBytes);
        block.Seal();
        store.Options.Memory.Add(index.Bytes);
        if (contents.ControlCount > 0)
        {
            ReplayControls(store, block, contents, report);
        }
    }

    private static void ReplayControls(FileStore store, FileBlock block, BlockContents contents, RecoveryReport report)
    {
        var record = new byte[Record.HeaderBytes];
        foreach (var position in contents.Controls)
        {
            block.ReadBytes(position, record.AsSpan(0, Record.HeaderBytes));
            var header = Record.ReadHeader(record);
            if (!Record.IsPlausible(in header, contents.DataBytes - position))
            {
                continue;
            }

            if (record.Length < header.Length)
            {
                Array.Resize(ref record, header.Length);
            }

            block.ReadBytes(position, record.AsSpan(0, header.Length));
            if (Record.IsIntact(record.AsSpan(0, header.Length), store.Files.Salt))
            {
                block.ControlBytes += header.Length;
                ApplyControl(store, record.AsSpan(0, header.Length), report);
            }
        }
    }

    private static void EnterMessage(FileStore store, FileBlock block, ReadOnlySpan<byte> record, int position, int countFrom, RecoveryReport report)
    {
        var header = Record.ReadHeader(record);
        if (header.Sequence > block.Next)
        {
            block.EnterGap((int)(header.Sequence - block.Next));
        }

        var slot = block.Slots;
        if (header.Kind == RecordKind.Erased)
        {
            // The subject of the message is unknown: a snapshot that counts it cannot be continued.
            report.ErasedSinceSnapshot |= slot < countFrom && !block.Removed.Contains(slot);
            block.EnterGap(1);
            store.LastSequence = Math.Max(store.LastSequence, header.Sequence);
            return;
        }

        var subject = record.Slice(Record.HeaderBytes, header.SubjectLength);
        var length = header.Length | (header.HeadersLength > 0 ? BlockIndex.HasHeaders : 0);
        if (slot < countFrom)
        {
            block.Enter(position, store.Subjects.TryFind(subject, out var known) ? known : -1, header.Back, length, header.Timestamp);
            block.LiveBytes -= block.Removed.Contains(slot) ? header.Length : 0;
            if (header.TimeToLiveSeconds != 0)
            {
                block.NoteExpiry(slot, ExpiryQueue.MomentOf(header.Timestamp, header.TimeToLiveSeconds));
            }

            return;
        }

        var id = store.Subjects.GetOrAdd(subject);
        block.Enter(position, id, header.Back, length, header.Timestamp);
        Count(store, id, header.Sequence);
        store.Bytes += store.ReportedBytes(length);
        store.LastSequence = header.Sequence;
        store.LastTimestamp = header.Timestamp;
        if (header.TimeToLiveSeconds != 0)
        {
            var at = ExpiryQueue.MomentOf(header.Timestamp, header.TimeToLiveSeconds);
            block.NoteExpiry(slot, at);
            store.Expiries.Add(header.Sequence, at);
        }
    }

    private static void Count(FileStore store, int id, ulong sequence)
    {
        ref var entry = ref store.Subjects[id];
        if (entry.Count++ == 0)
        {
            entry.First = sequence;
            entry.FirstIsBound = false;
        }

        entry.Last = sequence;
        if (store.Messages++ == 0)
        {
            store.FirstSequence = sequence;
        }
    }

    private static void ApplyControl(FileStore store, ReadOnlySpan<byte> record, RecoveryReport report)
    {
        var header = Record.ReadHeader(record);
        if (header.Kind == RecordKind.Head)
        {
            report.Expected.OnRemoved(0, header.Sequence - 1);
            RemoveRange(store, 0, header.Sequence - 1);
            if (header.Sequence > store.LastSequence + 1)
            {
                store.CoverGap(header.Sequence - 1);
            }

            return;
        }

        var bytes = record[Record.HeaderBytes..header.Length];
        ulong previous = 0;
        while (RangeList.TryRead(ref bytes, ref previous, out var range))
        {
            report.Expected.OnRemoved(range.First, range.Last);
            RemoveRange(store, range.First, Math.Min(range.Last, store.LastSequence));
            if (range.Last > store.LastSequence)
            {
                store.CoverGap(range.Last);
            }
        }
    }

    private static void RemoveRange(FileStore store, ulong first, ulong last)
    {
        while (store.Blocks.TryFindNextLive(first, out var block, out var slot) && block.First + (ulong)slot <= last)
        {
            first = block.First + (ulong)slot + 1;
            if (block.Index.SubjectIds[slot] < 0)
            {
                throw new InvalidDataException($"message {first - 1} is counted, but its record is missing");
            }

            store.RemoveSlot(block, slot, RemoveReason.Deleted);
        }
    }

    /// <summary>Cuts off a torn end, drops blocks without messages, and ensures that there is a block for new messages.</summary>
    private static void Finish(FileStore store, List<(BlockHeader Header, long Length)> headers, RecoveryReport report)
    {
        if (store.Messages == 0)
        {
            store.FirstSequence = store.LastSequence + 1;
        }

        if (!report.FromSnapshot)
        {
            LossCheck.Finish(store, report);
        }

        report.Messages = store.Messages;

        ReportMissing(headers, report);
        store.Compactor.SweepEmptied();
        try
        {
            if (store.Blocks.Count == 0)
            {
                store.Blocks.Add(store.Files.Create(store.NextSequence));
                return;
            }

            var newest = (FileBlock)store.Blocks.Active;
            if (newest.IsSealed)
            {
                store.Blocks.Add(store.Files.Create(store.NextSequence));
            }
            else if (!newest.File.CanCutTo(newest.DataBytes, newest.IsReadOnly))
            {
                store.BecomeReadOnly("write", new UnauthorizedAccessException("the newest block is read-only"));
            }
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e) && store.Blocks.Count > 0)
        {
            store.BecomeReadOnly("write", e);
        }
    }

    private static bool CanCutTo(this IStoreFile file, long length, bool isReadOnly)
    {
        if (!isReadOnly && file.Length > length)
        {
            file.SetLength(length);
        }

        return !isReadOnly;
    }

    /// <summary>A gap in the numbers means that blocks were dropped when they were empty, or that files were removed: a
    /// gap in the sequences is in the state either way.</summary>
    private static void ReportMissing(List<(BlockHeader Header, long Length)> headers, RecoveryReport report)
    {
        for (var i = 1; i < headers.Count; i++)
        {
            var (before, after) = (headers[i - 1].Header.Number, headers[i].Header.Number);
            if (after > before + 1)
            {
                report.Notes.Add($"Blocks {before + 1:x8} to {after - 1:x8} do not exist: they were empty and dropped, or their files are missing.");
            }
        }
    }
}
