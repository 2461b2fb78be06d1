using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.Storage;

/// <summary>Creates, seals, replaces and deletes the files of a store's blocks.</summary>
/// <remarks>Throws the exceptions of the file system: the store turns them into its fault. Not thread-safe except for <see cref="Dirty"/>.</remarks>
internal sealed class BlockFiles(FileStore store, IStoreFolder folder, FileStoreOptions options)
{
    private string? _newest;

    /// <summary>The files that may not be flushed to the disk.</summary>
    public DirtyFiles Dirty { get; } = new(folder);

    /// <summary>The name of the newest block's file while it must exist; null while blocks are replaced. Read on other threads.</summary>
    public string? Newest
    {
        get => Volatile.Read(ref _newest);
        set => Volatile.Write(ref _newest, value);
    }

    /// <summary>The seed of the checksums of the store's records.</summary>
    public uint Salt { get; set; }

    /// <summary>The number of the next block.</summary>
    public uint NextNumber { get; set; } = 1;

    /// <summary>Checks whether the newest block's file still exists: one look-up in the folder.</summary>
    public StoreFault? FindRemoved() => Newest is { } newest && !folder.Has(newest)
        ? new StoreFault(StoreFaultKind.Removed, "The stream's files were removed while the server was running: no more messages are stored.")
        : null;

    /// <summary>Throws if the file was removed: called after a flush, which succeeds on a removed file.</summary>
    public void ThrowIfRemoved()
    {
        if (FindRemoved() is { } removed) throw new StoreException(removed.Kind, removed.Message);
    }

    /// <summary>Creates the file of a new block.</summary>
    /// <param name="first">The sequence of its first message.</param>
    /// <param name="preceding">The block that is full, if there is one: the new block's header contains its length.</param>
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

    /// <summary>Whether the disk has room for a new block's first page.</summary>
    public bool HasRoom()
    {
        const string Name = "room" + BlockNames.Temporary;
        const int PageBytes = 4096;
        try
        {
            try
            {
                using var file = folder.Create(Name);
                file.Write(0, new byte[PageBytes]);
            }
            finally
            {
                folder.Delete(Name);
            }
            return true;
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            return false;
        }
    }

    /// <summary>Seals a block and writes its index.</summary>
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

    /// <summary>Called when a block was started. A stream without readers keeps no indexes: later readers load them from
    /// the disk. The newest full block keeps its index for consumers that are just behind the publisher.</summary>
    public void UnloadUnread()
    {
        if (store.Blocks.Count > 2 && store.Blocks[store.Blocks.Count - 3] is FileBlock { IsSealed: true, IsLoaded: true, IsRead: false } unread)
        {
            options.Memory.Add(-unread.Unload());
        }
    }

    /// <summary>Replaces a full block with another generation of it, whose file exists already.</summary>
    public void Replace(FileBlock block, FileBlock copy, int length)
    {
        copy.Resume(length);
        copy.Seal();
        store.Cache.Remove(block);
        if (block.TakeFile() is { } old) Dirty.Discard(old);
        Dirty.EntriesChanged();
        options.Memory.Add(copy.Index.Bytes - (block.IsLoaded ? block.Index.Bytes : 0));
        store.Blocks.Replace(block, copy);
        block.Dispose();
        BlockIndexFile.Write(folder, copy, store.Subjects);
    }

    /// <summary>Closes a file that is kept: not during another thread's flush, and after a flush if it needs one, unless the store ends.</summary>
    public void Close(IStoreFile file)
    {
        try
        {
            Dirty.Close(file, flush: store.Fault is not { Kind: StoreFaultKind.Closed });
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
        // The disk's blocks of a file that is open are released when it is closed.
        var file = block.File;
        _ = block.TakeFile();
        block.Dispose();
        try
        {
            // The index first: an index without its block means that the block was lost.
            folder.Delete(BlockNames.Index(block.Header.Number));
            folder.Delete(BlockNames.Block(block.Header.Number));
        }
        finally
        {
            Dirty.Discard(file);
        }
        Dirty.EntriesChanged();
    }
}
