// Hot path: stream engine -> MessageStore -> this -> FileBlock. Allocations: none.
using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Records;

namespace Postrider.Storage;

/// <summary>A store whose messages are an append-only log of blocks in a folder.</summary>
/// <remarks>
/// <para>One commit is one write. Removals are written as ranges with the commit; blocks without messages are deleted after it,
/// sparse ones rewritten. A torn or missing index is rebuilt from the records; damage only affects the records it hits.</para>
/// <para>When the disk fails, the store shows what is on the disk, becomes read-only and has the reason in
/// <see cref="MessageStore.Fault"/>; <see cref="TryResume"/> tries again.</para>
/// <para>Not thread-safe except for group flushes. Formats: <see cref="Record"/>, <see cref="BlockHeader"/>, <see cref="StoreCheckpoint"/>.</para>
/// </remarks>
internal sealed class FileStore : MessageStore, IGroupSynced
{
    private readonly FileStoreOptions _options;
    private volatile StoreFault? _syncFault;
    private long _commit;
    private long _lastGood;
    private long _durable;
    private bool _recovering;

    private FileStore(IStoreFolder folder, FileStoreOptions options)
        : base((ulong)options.Random.NextInt64())
    {
        Folder = folder;
        _options = options;
        Unreadable = new ReadErrors(options.Unreadable);
        Files = new BlockFiles(this, folder, options);
        Compactor = new BlockCompactor(this);
        Indexes = new BlockIndexes(this);
        Committed = new CommitPoint(this);
    }

    /// <summary>Called with a commit's number when it and all before it are on the disk, or with the fault that prevents it.
    /// On the committer's thread; only for <see cref="StoreDurability.GroupSync"/>.</summary>
    public Action<long, StoreFault?>? Durable { get; set; }

    /// <summary>The highest commit that is as durable as configured.</summary>
    public long DurableCommit => Interlocked.Read(ref _durable);

    /// <summary>The report of the recovery.</summary>
    public RecoveryReport Recovery { get; private set; } = new();

    /// <summary>The places that could not be read since the store was created.</summary>
    public ReadErrors Unreadable { get; }

    /// <summary>Bytes of the blocks on the disk, removed messages included.</summary>
    public long DiskBytes => Blocks.DataBytes;

    /// <inheritdoc/>
    public override bool HasNoPendingWork => !Compactor.HasEmptied;

    /// <inheritdoc/>
    public override ulong CommittedSequence => Committed.MustCut ? Math.Min(LastSequence, Committed.Sequence) : LastSequence;

    internal IStoreFolder Folder { get; }

    /// <summary>The position of the last commit.</summary>
    internal CommitPoint Committed { get; }

    internal ReadCache Cache { get; } = new();

    internal int BlockBytes => _options.BlockBytes;

    internal FileStoreOptions Options => _options;

    /// <summary>The number of the last commit.</summary>
    internal long LastCommit => _commit;

    /// <summary>The files of its blocks.</summary>
    internal BlockFiles Files { get; }

    /// <summary>The indexes of its full blocks.</summary>
    internal BlockIndexes Indexes { get; }

    /// <summary>The removals, deletions and rewrites for the next commit.</summary>
    internal BlockCompactor Compactor { get; }

    /// <summary>Incremented with every index that is loaded and every block that becomes full: the age of indexes is measured by it.</summary>
    internal long Clock { get; private set; }

    private FileBlock Active => (FileBlock)Blocks.Active;

    /// <summary>Opens the store in a folder, or creates one.</summary>
    /// <exception cref="StoreException">The folder cannot be read.</exception>
    public static FileStore Open(IStoreFolder folder, FileStoreOptions? options = null)
    {
        var store = new FileStore(folder, options ?? new FileStoreOptions());
        try
        {
            folder.Ensure();
            store.Recover();
            return store;
        }
        catch (Exception e)
        {
            store.Dispose(true);
            if (e is not StoreException && DiskErrors.IsDiskError(e))
            {
                var fault = DiskErrors.ToFault($"Cannot open the store in {folder.Path}", e);
                throw new StoreException(fault.Kind, fault.Message, e);
            }

            throw;
        }
    }

    /// <inheritdoc/>
    public override long ReportedBytes(int subjectBytes, int headerBytes, int payloadBytes)
        => 30L + subjectBytes + payloadBytes + (headerBytes > 0 ? 4 + headerBytes : 0);

    /// <inheritdoc/>
    public override StoreStatus Commit(out long commit)
    {
        commit = _lastGood;
        if (Fault is null && _syncFault is { } lost) GoBack(lost);
        if (Fault is not null || !Compactor.TryWriteRemovals())
        {
            return StoreStatus.ReadOnly;
        }

        // An empty commit is the previous one: whoever waits for it waits for that one, and it costs no flush.
        if (Active.UnwrittenBytes > 0)
        {
            _commit++;
            if (!TryFlush() || !TryMakeDurable(_commit)) return StoreStatus.ReadOnly;
            commit = _lastGood = _commit;
        }

        Committed.Mark();
        if (Compactor.HasWork)
        {
            // The removals are final, even if deleting blocks fails.
            Observer?.OnCommitted();
            TryWrite("tidy up", Compactor.Run);
        }

        TrimCaches();
        return StoreStatus.Ok;
    }

    /// <summary>Flushes committed messages to the disk, for the flush interval of
    /// <see cref="StoreDurability.PageCache"/> and for a clean end.</summary>
    public bool TrySync()
    {
        try
        {
            var commit = Files.Dirty.Sync();
            Files.ThrowIfRemoved();
            Interlocked.Exchange(ref _durable, commit);
            return true;
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            // After a failed flush the content of the disk is unknown: reads continue, commits do not.
            Fault = DiskErrors.ToFault($"Cannot flush {Folder.Path}", e);
            return false;
        }
    }

    /// <summary>Tries to end the read-only state: reopens the store and writes a record.</summary>
    public bool TryResume()
    {
        if (Fault is null) return true;

        // Earlier writes are flushed first: the store does not know that reopened files need it.
        var fault = Fault;
        (Fault, _syncFault) = (null, null);
        if (!Committed.TryCut())
        {
            Fault = fault;
            return false;
        }

        return TrySync() && TryReadAgain()
            && Compactor.TryWriteControl(RecordKind.Removal, LastSequence, default) && Commit() == StoreStatus.Ok && TrySync();
    }

    /// <inheritdoc/>
    public override StoreStatus Truncate(ulong last)
    {
        if (last >= LastSequence) return last == LastSequence ? StoreStatus.Ok : StoreStatus.BeyondEnd;
        if (Fault is not null || Commit() != StoreStatus.Ok) return StoreStatus.ReadOnly;

        if (!Committed.Truncate(last)) return StoreStatus.ReadOnly;
        Files.Newest = BlockNames.Block(Active.Header.Number);
        return StoreStatus.Ok;
    }

    /// <summary>Writes the state so that the next opening need not read the blocks. Also done by Dispose.</summary>
    public bool TryWriteSnapshot()
        => Fault is null && Compactor.CompactFully() && TryWrite("write the snapshot", () => StoreCheckpoint.Write(this));

    /// <summary>Checks whether the newest block is still in its folder. Data written to a removed file is lost.</summary>
    /// <returns>False when it is not: the store is read-only.</returns>
    public bool CheckFolder()
    {
        Fault ??= Files.FindRemoved();
        return Fault is not { Kind: StoreFaultKind.Removed };
    }

    /// <summary>Releases what an idle store does not need: buffers, windows, indexes.</summary>
    public void Trim()
    {
        Cache.Trim();
        foreach (var block in Blocks.Span)
        {
            var file = (FileBlock)block;
            file.TrimBuffer();
            Indexes.Unload(file);
        }
    }

    /// <inheritdoc/>
    internal override long ReportedBytes(int lengthAndFlag)
        => (lengthAndFlag & int.MaxValue) - Record.HeaderBytes + 30 + (lengthAndFlag < 0 ? 4 : 0);

    /// <inheritdoc/>
    public bool SyncConcurrently()
    {
        var commit = Interlocked.Read(ref _commit);
        try
        {
            commit = Files.Dirty.Sync();
            Files.ThrowIfRemoved();
            if (_syncFault is null) Interlocked.Exchange(ref _durable, commit);
            Durable?.Invoke(commit, _syncFault);
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            _syncFault = DiskErrors.ToFault($"Cannot flush {Folder.Path}", e);
            Durable?.Invoke(commit, _syncFault);
        }
        return _syncFault is null;
    }

    /// <summary>Writes the newest block's buffer.</summary>
    internal bool TryFlush()
    {
        var active = Active;
        if (active.UnwrittenBytes == 0) return true;

        try
        {
            active.Flush();
            Files.Dirty.Add(active.File, _commit);
            return true;
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            Fail("write", e);
            return false;
        }
    }

    /// <summary>Runs an operation on the disk; an error makes the store read-only.</summary>
    internal bool TryWrite(string doing, Action action)
    {
        try
        {
            action();
            return true;
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e) && !_recovering)
        {
            Fail(doing, e);
            return false;
        }
    }

    /// <summary>Loads the index of a full block.</summary>
    internal BlockIndex LoadIndex(FileBlock block)
    {
        Clock++;
        return Indexes.Load(block);
    }

    /// <inheritdoc/>
    protected internal override void TrimCaches()
    {
        if (!_recovering) Indexes.TrimCaches();
    }

    /// <inheritdoc/>
    protected internal override void Release(Block block) => Indexes.Unload((FileBlock)block);

    /// <summary>The block that takes a record of that length, created when needed.</summary>
    internal bool TryGetRoom(int length, out FileBlock block)
    {
        Block active = Active;
        var done = active.Fits(length) || TryRoll(out active);
        block = (FileBlock)active;
        return done;
    }

    /// <summary>Drops everything that is in memory.</summary>
    internal void Forget()
    {
        foreach (var block in Blocks.Span)
        {
            var file = (FileBlock)block;
            _options.Memory.Add(file.IsSealed && file.IsLoaded ? -file.Index.Bytes : 0);
            Cache.Remove(file);
            file.Dispose();
        }

        Blocks.Clear();
        ReplaceSubjects();
        Expiries.Clear();
        Compactor.Clear();
        Messages = 0;
        Bytes = 0;
        FirstSequence = _options.FirstSequence;
        LastSequence = _options.FirstSequence - 1;
        LastTimestamp = 0;
        HeadMoved();
    }

    /// <summary>Records an error in writing that was found while opening.</summary>
    internal void BecomeReadOnly(string doing, Exception e) => Fault ??= DiskErrors.ToFault($"Cannot {doing} in {Folder.Path}", e);

    /// <summary>A closed file could not be flushed: no commit that waits for a flush is certain to be on the disk.</summary>
    internal void FlushFailed(Exception e) => Fault ??= _syncFault = DiskErrors.ToFault($"Cannot flush {Folder.Path}", e);

    /// <inheritdoc/>
    protected override void Seal(Span<byte> record) => Record.Seal(record, Files.Salt);

    /// <inheritdoc/>
    protected override bool TryRoll(out Block block)
    {
        FileBlock? next = null;
        var done = TryWrite("begin a block", () =>
        {
            var full = Active;
            Files.Seal(full);
            next = Files.Create(NextSequence, full);
            if (full.Messages == 0)
            {
                Blocks.Remove(full);
                Compactor.Emptied(full);
            }

            Blocks.Add(next);
            Clock++;
            Files.UnloadUnread();
        });
        block = next!;
        return done;
    }

    /// <inheritdoc/>
    internal override bool HasRoomForBlock() => Files.HasRoom();

    /// <inheritdoc/>
    protected override void ResetBlocks(ulong first)
        => TryWrite("purge", () =>
        {
            var next = Files.Create(first);
            // The newest block may be partly written: it is deleted first.
            var old = Blocks.Span.ToArray().Cast<FileBlock>().Reverse().Concat(Compactor.TakeEmptied()).ToList();
            Compactor.Clear();
            Blocks.Clear();
            Blocks.Add(next);
            Compactor.TryWriteControl(RecordKind.Head, first, default);

            // The new head must exist before the old messages are deleted: a crash in between leaves one or the other.
            next.Flush();
            if (_options.Durability != StoreDurability.PageCache)
            {
                Files.Dirty.Sync();
            }

            // From here on the old messages are gone, whatever fails: if deleting their files fails, the purge has still succeeded.
            Committed.Mark();

            // They are deleted with the next commit. The removals that they record are of messages that are deleted too.
            foreach (var block in old)
            {
                block.ControlBytes = 0;
                Compactor.Emptied(block);
            }
        });

    /// <inheritdoc/>
    protected override void OnBlockEmptied(Block block) => Compactor.Emptied((FileBlock)block);

    /// <inheritdoc/>
    protected override void OnBlockSparse(Block block)
    {
        if (!_recovering)
        {
            Compactor.Rewrite((FileBlock)block);
        }
    }

    /// <inheritdoc/>
    protected override void NoteRemoved(ulong first, ulong last)
    {
        if (!_recovering)
        {
            Compactor.OnRemoved(first, last);
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing && Blocks.Count > 0)
        {
            if (Fault is null)
            {
                TryWriteSnapshot();
                TrySync();
            }

            Fault = new StoreFault(StoreFaultKind.Closed, $"The store in {Folder.Path} was closed.");
            Forget();
        }

        base.Dispose(disposing);
    }

    /// <summary>Makes a written commit as durable as configured, or requests it.</summary>
    private bool TryMakeDurable(long commit)
    {
        switch (_options.Durability)
        {
            case StoreDurability.PageCache:
                Interlocked.Exchange(ref _durable, commit);
                return true;
            case StoreDurability.GroupSync:
                _options.Committer!.Request(this);
                return true;
            default:
                if (TrySync()) return true;
                GoBack(Fault!);
                return false;
        }
    }

    private void Recover()
    {
        _recovering = true;
        try
        {
            Recovery = new RecoveryReport();
            Forget();
            StoreRecovery.Run(this, Recovery);
            if (!Committed.MustCut) Committed.Mark();
            Files.Newest = BlockNames.Block(Active.Header.Number);
        }
        finally
        {
            _recovering = false;
        }

        TrimCaches();
    }

    // If its folder is gone, this is the reason why the store is read-only, instead of the given one.
    private void Fail(string doing, Exception e)
        => GoBack(CheckFolder() ? DiskErrors.ToFault($"Cannot {doing} in {Folder.Path}", e) : Fault!);

    /// <summary>After a disk error: shows what was committed, and accepts nothing more.</summary>
    private void GoBack(StoreFault fault)
    {
        var last = LastSequence;
        if (fault.Kind != StoreFaultKind.Removed)
        {
            // Without its folder there is nothing to read, and nothing must be created in its place.
            Committed.TryCut();
            Fault = fault;
            TryReadAgain();
        }

        Fault = fault;
        Observer?.OnRolledBack(last, Committed.Sequence);
    }

    private bool TryReadAgain()
    {
        try
        {
            Recover();
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            Unreadable.Add($"Cannot read {Folder.Path} again: {e.Message}");
            BecomeReadOnly("reopen", e);
        }

        return Fault is null;
    }
}
