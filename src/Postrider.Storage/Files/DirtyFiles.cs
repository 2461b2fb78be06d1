namespace Postrider.Storage.Files;

/// <summary>The files that were written and may not be on the disk.</summary>
/// <remarks>Thread-safe. <c>_syncing</c> is held while files are flushed, so that none is closed under the flush;
/// <c>_gate</c> guards the lists and is held for a few instructions. Order: _syncing, then _gate.</remarks>
internal sealed class DirtyFiles(IStoreFolder folder)
{
    private readonly Lock _syncing = new();
    private readonly Lock _gate = new();
    private readonly List<IStoreFile> _files = [];
    private readonly List<IStoreFile> _flushing = [];
    private readonly List<IStoreFile> _discarded = [];
    private bool _entries;
    private long _written;

    /// <summary>Records that a file was written as part of a commit.</summary>
    public void Add(IStoreFile file, long commit)
    {
        lock (_gate)
        {
            _written = commit;
            // Nearly always the newest block again, however many other files wait for the next flush.
            if (_files.Count == 0 || (!ReferenceEquals(_files[^1], file) && !_files.Contains(file)))
            {
                _files.Add(file);
            }
        }
    }

    /// <summary>Records that the folder's entries changed.</summary>
    public void EntriesChanged()
    {
        lock (_gate)
        {
            _entries = true;
        }
    }

    /// <summary>Flushes everything; throws the exceptions of the file system.</summary>
    /// <returns>The last commit that was written before the flush began.</returns>
    public long Sync()
    {
        lock (_syncing)
        {
            bool entries;
            long commit;
            lock (_gate)
            {
                _flushing.AddRange(_files);
                _files.Clear();
                (entries, _entries) = (_entries, false);
                commit = _written;
            }

            try
            {
                foreach (var file in _flushing)
                {
                    file.Sync();
                }

                if (entries)
                {
                    folder.Sync();
                }
            }
            finally
            {
                EndFlush();
            }

            return commit;
        }
    }

    /// <summary>Closes a file that was deleted. Does not wait for another thread's flush: the file is closed when that ends.</summary>
    public void Discard(IStoreFile file)
    {
        lock (_gate)
        {
            _ = _files.Remove(file);
            if (_flushing.Contains(file))
            {
                _discarded.Add(file);
                return;
            }
        }
        file.Discard();
    }

    /// <summary>Closes a file, not during another thread's flush.</summary>
    /// <param name="file">The file.</param>
    /// <param name="flush">Whether a dirty file is flushed.</param>
    public void Close(IStoreFile file, bool flush)
    {
        lock (_syncing)
        {
            bool dirty;
            lock (_gate)
            {
                dirty = _files.Remove(file);
            }

            try
            {
                if (dirty && flush)
                {
                    file.Sync();
                }
            }
            finally
            {
                file.Dispose();
            }
        }
    }

    private void EndFlush()
    {
        IStoreFile[] discarded;
        lock (_gate)
        {
            _flushing.Clear();
            discarded = [.. _discarded];
            _discarded.Clear();
        }
        foreach (var file in discarded) file.Discard();
    }
}
