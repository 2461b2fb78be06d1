using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.Storage;

/// <summary>The position of a file store's last commit. Everything after it was not acknowledged and is cut off when a
/// commit fails, in the newest block and in blocks that were started since.</summary>
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
}
