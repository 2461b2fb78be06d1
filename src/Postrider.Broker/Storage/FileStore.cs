// Hot path: stream engine -> MessageStore -> this -> FileBlock. Allocations: none.
using Postrider.Broker.Storage.Blocks;
using Postrider.Broker.Storage.Disks;

namespace Postrider.Broker.Storage;

/// <summary>A store whose messages are an append-only log of blocks in a folder.</summary>
/// <remarks>
/// <para>One commit is one write. Removals are written as ranges with the commit; blocks without messages are deleted after it,
/// sparse ones copied together. A torn or missing index is made again from the records; damage costs the records it hits.</para>
/// <para>When the disk refuses, the store shows what is on the disk, becomes read-only and says why in
/// <see cref="MessageStore.Fault"/>; <see cref="TryResume"/> tries again.</para>
/// <para>Not thread-safe but for group flushes. Formats: <see cref="Record"/>, <see cref="BlockHeader"/>,
/// <see cref="BlockIndexFile"/>, <see cref="BlockFrames"/>, <see cref="StoreSnapshot"/>.</para>
/// </remarks>
internal sealed class FileStore : MessageStore
{
    // A removal record this long is written at once instead of with the commit.
    private const int MaxRemovalBytes = 64 * 1024;

    private readonly FileStoreOptions _options;
    private readonly DirtyFiles _dirty;
    private readonly RangeList _removals = new();
    private readonly List<FileBlock> _emptied = [];
    private readonly Queue<FileBlock> _rewrites = new();
    private volatile StoreFault? _syncFault;
    private long _commit;
    private long _durable;
    private long _committedLength;
    private bool _recovering;

    private FileStore(IStoreFolder folder, FileStoreOptions options)
        : base((ulong)options.Random.NextInt64())
    {
        Folder = folder;
        _options = options;
        _dirty = new DirtyFiles(folder);
    }

    /// <summary>Called with a commit's number when it and all before it are on the disk, or with the fault that forbids it.
    /// From the committer's thread; only for <see cref="StoreDurability.GroupSync"/>.</summary>
    public Action<long, StoreFault?>? Durable { get; set; }

    /// <summary>The highest commit that keeps the store's promise.</summary>
    public long DurableCommit => Interlocked.Read(ref _durable);

    /// <summary>What opening found.</summary>
    public RecoveryReport Recovery { get; private set; } = new();

    /// <summary>Reads that met damage since the store was opened, newest last.</summary>
    public List<string> Unreadable { get; } = [];

    /// <summary>Bytes of the blocks on the disk, removed messages included.</summary>
    public long DiskBytes
    {
        get
        {
            long bytes = 0;
            foreach (var block in Blocks.Span)
            {
                bytes += block.DataBytes;
            }

            return bytes;
        }
    }

    internal IStoreFolder Folder { get; }

    internal ReadCache Cache { get; } = new();

    internal int BlockBytes => _options.BlockBytes;

    internal FileStoreOptions Options => _options;

    internal uint Salt { get; set; }

    internal uint NextNumber { get; set; } = 1;

    /// <summary>Ticks with every index that is loaded: the age of indexes is counted in it.</summary>
    internal long Clock { get; private set; }

    private FileBlock Active => (FileBlock)Blocks.Active;

    /// <summary>Opens the store in a folder, or begins one.</summary>
    /// <exception cref="StoreException">The folder cannot be read.</exception>
    public static FileStore Open(IStoreFolder folder, FileStoreOptions? options = null)
    {
        var store = new FileStore(folder, options ?? new FileStoreOptions());
        try
        {
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
        commit = ++_commit;
        if (_syncFault is { } lost && Fault is null)
        {
            Fault = lost;
        }

        if (Fault is not null || (!_removals.IsEmpty && !TryWriteRemovals()) || !TryFlush())
        {
            return StoreStatus.ReadOnly;
        }

        _committedLength = Active.DataBytes;
        switch (_options.Durability)
        {
            case StoreDurability.PageCache:
                Interlocked.Exchange(ref _durable, commit);
                break;
            case StoreDurability.GroupSync:
                _options.Committer!.Request(this);
                break;
            default:
                if (!TrySync())
                {
                    return StoreStatus.ReadOnly;
                }

                break;
        }

        if (_emptied.Count + _rewrites.Count > 0)
        {
            KeepHouse();
        }

        Relax();
        return StoreStatus.Ok;
    }

    /// <summary>Flushes what was committed to the disk, for the interval between flushes of
    /// <see cref="StoreDurability.PageCache"/> and for a clean end.</summary>
    public bool TrySync()
    {
        try
        {
            Interlocked.Exchange(ref _durable, _dirty.Sync());
            return true;
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            // After a failed flush nobody knows what the disk has: reading goes on, promising does not.
            Fault = DiskErrors.ToFault($"Cannot flush {Folder.Path}", e);
            return false;
        }
    }

    /// <summary>Tries to leave the read-only state: opens the store again and writes a record.</summary>
    public bool TryResume()
    {
        if (Fault is null)
        {
            return true;
        }

        Fault = null;
        _syncFault = null;
        if (!TryWrite("reopen", Recover) || Fault is not null)
        {
            return false;
        }

        return TryWriteControl(RecordKind.Removal, LastSequence, default) && Commit() == StoreStatus.Ok && TrySync();
    }

    /// <inheritdoc/>
    public override StoreStatus Truncate(ulong last)
    {
        if (last >= LastSequence)
        {
            return last == LastSequence ? StoreStatus.Ok : StoreStatus.BeyondEnd;
        }

        if (Fault is not null || Commit() != StoreStatus.Ok)
        {
            return StoreStatus.ReadOnly;
        }

        return BlockRewriter.Truncate(this, last) ? StoreStatus.Ok : StoreStatus.ReadOnly;
    }

    /// <summary>Writes the state down so that the next opening need not read the blocks. Also done by Dispose.</summary>
    public bool TryWriteSnapshot()
        => Fault is null && Commit() == StoreStatus.Ok && TryWrite("write the snapshot", () => StoreSnapshot.Write(this));

    /// <summary>Gives back what an idle store does not need: buffers, windows, indexes.</summary>
    public void Trim()
    {
        Cache.Trim();
        foreach (var block in Blocks.Span)
        {
            var file = (FileBlock)block;
            file.TrimBuffer();
            if (file.IsSealed && file.IsLoaded)
            {
                _options.Memory.Add(-file.Unload());
            }
        }
    }

    /// <inheritdoc/>
    internal override long ReportedBytes(int lengthAndFlag)
        => (lengthAndFlag & int.MaxValue) - Record.HeaderBytes + 30 + (lengthAndFlag < 0 ? 4 : 0);

    /// <summary>Flushes for the group: from the committer's thread.</summary>
    internal void SyncForGroup()
    {
        var commit = Interlocked.Read(ref _commit);
        try
        {
            commit = _dirty.Sync();
            Interlocked.Exchange(ref _durable, commit);
            Durable?.Invoke(commit, null);
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            _syncFault = DiskErrors.ToFault($"Cannot flush {Folder.Path}", e);
            Durable?.Invoke(commit, _syncFault);
        }
    }

    /// <summary>Writes the newest block's buffer.</summary>
    internal bool TryFlush()
    {
        var active = Active;
        if (active.UnwrittenBytes == 0)
        {
            return true;
        }

        try
        {
            active.Flush();
            _dirty.Add(active.File, _commit);
            return true;
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            Fail("write", e);
            return false;
        }
    }

    /// <summary>Does something to the disk; a refusal makes the store read-only.</summary>
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

    /// <summary>Has a block written anew after the next commit.</summary>
    internal void QueueRewrite(FileBlock block)
    {
        if (!_rewrites.Contains(block))
        {
            _rewrites.Enqueue(block);
        }
    }

    /// <summary>Remembers damage met while reading.</summary>
    internal void ReportUnreadable(FileBlock block, long position, Exception e)
        => Unreadable.Add($"Block {block.Header.Number:x8} at {position}: {e.Message}");

    /// <summary>Reads the index of a full block again.</summary>
    internal BlockIndex LoadIndex(FileBlock block)
    {
        Clock++;
        var index = StoreRecovery.LoadIndex(this, block);
        block.Attach(index);
        _options.Memory.Add(index.Bytes);
        return index;
    }

    /// <inheritdoc/>
    protected internal override void Relax()
    {
        while (_options.Memory.IsOver && !_recovering)
        {
            FileBlock? oldest = null;
            foreach (var block in Blocks.Span)
            {
                var file = (FileBlock)block;
                if (file.IsSealed && file.IsLoaded && (oldest is null || file.UsedAt < oldest.UsedAt))
                {
                    oldest = file;
                }
            }

            if (oldest is null)
            {
                return;
            }

            _options.Memory.Add(-oldest.Unload());
        }
    }

    /// <summary>Creates the file of a new block.</summary>
    internal FileBlock CreateBlock(ulong first)
    {
        var header = new BlockHeader(NextNumber++, 0, Salt, first, false);
        var bytes = new byte[BlockHeader.Bytes];
        header.Write(bytes);
        var file = Folder.Create(BlockNames.Block(header.Number));
        file.Write(0, bytes);
        _dirty.Add(file, _commit);
        _dirty.EntriesChanged();
        return new FileBlock(this, Folder, header, file, BlockHeader.Bytes);
    }

    /// <summary>Ends a block and writes its index.</summary>
    internal void SealBlock(FileBlock block)
    {
        block.Flush();
        _dirty.Add(block.File, _commit);
        block.Seal();
        BlockIndexFile.Write(Folder, block, Subjects);
        _options.Memory.Add(block.IsLoaded ? block.Index.Bytes : 0);
        if (_options.Compress && block.Messages > 0)
        {
            QueueRewrite(block);
        }
    }

    /// <summary>Deletes a block's files.</summary>
    internal void DeleteBlock(FileBlock block)
    {
        Cache.Forget(block);
        var bytes = block.IsLoaded && block.IsSealed ? block.Index.Bytes : 0;
        _dirty.Close(block.File, keep: false);
        block.Dispose();
        _options.Memory.Add(-bytes);
        Folder.Delete(BlockNames.Block(block.Header.Number));
        Folder.Delete(BlockNames.Index(block.Header.Number));
        _dirty.EntriesChanged();
    }

    /// <summary>Closes a block's file for now.</summary>
    internal void CloseBlockFile(FileBlock block)
    {
        _dirty.Close(block.File, keep: true);
        block.CloseFile();
        Cache.Forget(block);
    }

    /// <summary>Puts another writing of a full block in its place.</summary>
    internal void ReplaceBlock(FileBlock block, FileBlock copy, int length)
    {
        copy.Resume(length);
        copy.Seal();
        Cache.Forget(block);
        _dirty.Close(block.File, keep: false);
        _dirty.EntriesChanged();
        _options.Memory.Add(copy.Index.Bytes - (block.IsLoaded ? block.Index.Bytes : 0));
        Blocks.Replace(block, copy);
        block.Dispose();
        BlockIndexFile.Write(Folder, copy, Subjects);
    }

    /// <summary>Takes out the blocks before the newest that hold no message.</summary>
    internal void SweepEmptied()
    {
        foreach (var block in Blocks.Span.ToArray().SkipLast(1).Where(b => b.Messages == 0))
        {
            Blocks.Remove(block);
            _emptied.Add((FileBlock)block);
        }
    }

    /// <summary>Deletes blocks that lost their last message; throws what the disk throws.</summary>
    internal void DropEmptied()
    {
        foreach (var block in _emptied)
        {
            if (block.ControlBytes > 0)
            {
                BlockRewriter.RepeatRemovals(this, block, block.ReadAll());
            }
        }

        if (!TryFlush())
        {
            return;
        }

        if (_emptied.Count > 0 && _options.Durability != StoreDurability.PageCache)
        {
            // What says that the messages are gone must be on the disk before they go.
            _dirty.Sync();
        }

        foreach (var block in _emptied)
        {
            DeleteBlock(block);
        }

        _emptied.Clear();
    }

    /// <summary>Adds to the removals of the next commit.</summary>
    internal void AddRemoval(ulong first, ulong last) => _removals.Add(first, last);

    /// <summary>Forgets the removals of the next commit.</summary>
    internal void DiscardRemovals() => _removals.Clear();

    /// <summary>Puts the removals noted so far into the newest block's buffer.</summary>
    internal void WriteRemovalsNow()
    {
        if (!_removals.IsEmpty)
        {
            TryWriteRemovals();
        }
    }

    /// <summary>Appends a record that is no message.</summary>
    internal bool TryWriteControl(RecordKind kind, ulong sequence, ReadOnlySpan<byte> payload)
    {
        var length = Record.HeaderBytes + payload.Length;
        Block block = Active;
        if ((!block.Fits(length) && !TryRoll(out block)) || !block.TryReserve(length, out var position, out var target))
        {
            return false;
        }

        Record.Write(target, new RecordHeader { Kind = kind, Sequence = sequence, Timestamp = LastTimestamp }, default, default, payload);
        Record.Seal(target, Salt);
        var active = (FileBlock)block;
        active.Controls.Add(position);
        active.ControlBytes += length;
        return true;
    }

    /// <summary>Forgets everything that is in memory.</summary>
    internal void Forget()
    {
        foreach (var block in Blocks.Span)
        {
            var file = (FileBlock)block;
            _options.Memory.Add(file.IsSealed && file.IsLoaded ? -file.Index.Bytes : 0);
            Cache.Forget(file);
            file.Dispose();
        }

        Blocks.Clear();
        ReplaceSubjects();
        Expiries.Clear();
        _removals.Clear();
        _emptied.Clear();
        _rewrites.Clear();
        Messages = 0;
        Bytes = 0;
        FirstSequence = _options.FirstSequence;
        LastSequence = _options.FirstSequence - 1;
        LastTimestamp = 0;
        HeadMoved();
    }

    /// <summary>Records that the disk refuses writing, found while opening.</summary>
    internal void BecomeReadOnly(string doing, Exception e) => Fault ??= DiskErrors.ToFault($"Cannot {doing} in {Folder.Path}", e);

    /// <inheritdoc/>
    protected override void Seal(Span<byte> record) => Record.Seal(record, Salt);

    /// <inheritdoc/>
    protected override bool TryRoll(out Block block)
    {
        FileBlock? next = null;
        var done = TryWrite("begin a block", () =>
        {
            var full = Active;
            SealBlock(full);
            next = CreateBlock(NextSequence);
            if (full.Messages == 0)
            {
                Blocks.Remove(full);
                _emptied.Add(full);
            }

            Blocks.Add(next);
            _committedLength = BlockHeader.Bytes;
        });
        block = next!;
        return done;
    }

    /// <inheritdoc/>
    protected override void ResetBlocks(ulong first)
    {
        _removals.Clear();
        _rewrites.Clear();
        TryWrite("purge", () =>
        {
            var next = CreateBlock(first);
            var old = Blocks.Span.ToArray();
            Blocks.Clear();
            Blocks.Add(next);
            if (!TryWriteControl(RecordKind.Head, first, default))
            {
                return;
            }

            // The new head must be there before the old messages go: in between, a crash shows one or the other.
            next.Flush();
            if (_options.Durability != StoreDurability.PageCache)
            {
                _dirty.Sync();
            }

            foreach (var block in old.Concat(_emptied))
            {
                DeleteBlock((FileBlock)block);
            }

            _emptied.Clear();
            _committedLength = next.DataBytes;
        });
    }

    /// <inheritdoc/>
    protected override void OnBlockEmptied(Block block) => _emptied.Add((FileBlock)block);

    /// <inheritdoc/>
    protected override void OnBlockSparse(Block block)
    {
        if (!_recovering)
        {
            QueueRewrite((FileBlock)block);
        }
    }

    /// <inheritdoc/>
    protected override void NoteRemoved(ulong first, ulong last)
    {
        if (_recovering)
        {
            return;
        }

        _removals.Add(first, last);
        if (_removals.EstimatedBytes > MaxRemovalBytes)
        {
            TryWriteRemovals();
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

    private bool TryWriteRemovals()
    {
        var bytes = _removals.Finish();
        var done = TryWriteControl(RecordKind.Removal, LastSequence, bytes);
        _removals.Clear();
        return done;
    }

    /// <summary>Deletes emptied blocks and copies one sparse block together: after the commit that made them so.</summary>
    private void KeepHouse()
    {
        TryWrite("delete blocks", () =>
        {
            DropEmptied();
            while (_rewrites.TryDequeue(out var sparse))
            {
                if (Blocks.Span.Contains(sparse) && sparse.IsSealed)
                {
                    BlockRewriter.Rewrite(this, sparse);
                    break;
                }
            }
        });
    }

    private void Recover()
    {
        _recovering = true;
        try
        {
            Recovery = new RecoveryReport();
            Forget();
            StoreRecovery.Run(this, Recovery);
            _committedLength = Active.DataBytes;
        }
        finally
        {
            _recovering = false;
        }

        Relax();
    }

    /// <summary>The disk refused: show what it has, promise nothing more.</summary>
    private void Fail(string doing, Exception e)
    {
        var fault = DiskErrors.ToFault($"Cannot {doing} in {Folder.Path}", e);
        try
        {
            if (Blocks.Count > 0)
            {
                Active.File.SetLength(_committedLength);
            }
        }
        catch (Exception again) when (DiskErrors.IsDiskError(again))
        {
            Unreadable.Add($"Cannot cut {Folder.Path} back to the last commit: {again.Message}");
        }

        Fault = fault;
        try
        {
            Recover();
        }
        catch (Exception again) when (DiskErrors.IsDiskError(again))
        {
            Unreadable.Add($"Cannot read {Folder.Path} again: {again.Message}");
        }

        Fault = fault;
    }
}
