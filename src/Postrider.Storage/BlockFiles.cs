using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.Storage;

/// <summary>Creates, ends, replaces and deletes the files of a store's blocks.</summary>
/// <remarks>Throws what the disk throws: the store turns it into its fault. Not thread-safe but for <see cref="Dirty"/>.</remarks>
internal sealed class BlockFiles(FileStore store, IStoreFolder folder, FileStoreOptions options)
{
    private string? _newest;

    /// <summary>What is not known to be on the disk.</summary>
    public DirtyFiles Dirty { get; } = new(folder);

    /// <summary>The file of the newest block while it has to be there; null while blocks are replaced. Read on other threads.</summary>
    public string? Newest
    {
        get => Volatile.Read(ref _newest);
        set => Volatile.Write(ref _newest, value);
    }

    /// <summary>Seeds the checksums of the store's records.</summary>
    public uint Salt { get; set; }

    /// <summary>The number of the next block.</summary>
    public uint NextNumber { get; set; } = 1;

    /// <summary>Finds out whether the newest block's file is still there: one look at the folder.</summary>
    public StoreFault? FindRemoved() => Newest is { } newest && !folder.Has(newest)
        ? new StoreFault(StoreFaultKind.Removed, "The stream's files were removed while the server was running: no more messages are stored.")
        : null;

    /// <summary>The same as an exception: after a flush, which succeeds on a file that was removed.</summary>
    public void ThrowIfRemoved()
    {
        if (FindRemoved() is { } removed) throw new StoreException(removed.Kind, removed.Message);
    }

    /// <summary>Creates the file of a new block.</summary>
    /// <param name="first">The sequence of its first message.</param>
    /// <param name="preceding">The block that is full, if there is one: the new one's header notes how long it is.</param>
    public FileBlock Create(ulong first, FileBlock? preceding = null)
    {
        var precedingBytes = preceding is { Header.Generation: 0, DataBytes: <= int.MaxValue } && preceding.Header.Number + 1 == NextNumber ? (int)preceding.DataBytes : 0;
        var header = new BlockHeader(NextNumber++, 0, Salt, first, false, precedingBytes);
        var bytes = new byte[BlockHeader.Bytes];
        header.Write(bytes);
        var file = folder.Create(BlockNames.Block(header.Number));
        try
        {
            file.Write(0, bytes);
        }
        catch
        {
            file.Dispose();
            throw;
        }

        Dirty.Add(file, store.LastCommit);
        Dirty.EntriesChanged();
        Newest = BlockNames.Block(header.Number);
        return new FileBlock(store, folder, header, file, BlockHeader.Bytes);
    }

    /// <summary>Ends a block and writes its index.</summary>
    public void Seal(FileBlock block)
    {
        block.Flush();
        Dirty.Add(block.File, store.LastCommit);
        block.Seal();
        options.Memory.Add(block.Index.Bytes);
        BlockIndexFile.Write(folder, block, store.Subjects);
        if (options.Compress && block.Messages > 0)
        {
            store.Compactor.Rewrite(block);
        }
    }

    /// <summary>Called when a block was started. A stream that is only published to keeps no indexes: later readers load them from
    /// the disk. The newest full block is left to consumers that are just behind the publisher.</summary>
    public void UnloadUnread()
    {
        if (store.Blocks.Count > 2 && store.Blocks[store.Blocks.Count - 3] is FileBlock { IsSealed: true, IsLoaded: true, IsRead: false } unread)
        {
            options.Memory.Add(-unread.Unload());
        }
    }

    /// <summary>Puts another writing of a full block in its place; its file is there already.</summary>
    public void Replace(FileBlock block, FileBlock copy, int length)
    {
        copy.Resume(length);
        copy.Seal();
        store.Cache.Remove(block);
        Dirty.Close(block.File, keep: false);
        Dirty.EntriesChanged();
        options.Memory.Add(copy.Index.Bytes - (block.IsLoaded ? block.Index.Bytes : 0));
        store.Blocks.Replace(block, copy);
        block.Dispose();
        BlockIndexFile.Write(folder, copy, store.Subjects);
    }

    /// <summary>Closes a file that stays: not under another thread's flush, and flushed if it still has to be, unless the store ends.</summary>
    public void Close(IStoreFile file)
    {
        try
        {
            Dirty.Close(file, keep: store.Fault is not { Kind: StoreFaultKind.Closed });
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            store.FlushFailed(e);
        }
    }

    /// <summary>Deletes a block's files.</summary>
    public void Delete(FileBlock block)
    {
        if (Newest == BlockNames.Block(block.Header.Number)) Newest = null;
        store.Cache.Remove(block);
        options.Memory.Add(block.IsLoaded && block.IsSealed ? -block.Index.Bytes : 0);
        Dirty.Close(block.File, keep: false);
        block.Dispose();

        // The index first: one without its block says that the block was lost.
        folder.Delete(BlockNames.Index(block.Header.Number));
        folder.Delete(BlockNames.Block(block.Header.Number));
        Dirty.EntriesChanged();
    }
}
