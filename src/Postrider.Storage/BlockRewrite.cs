using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Records;

namespace Postrider.Storage;

/// <summary>One rewrite of a full block: without removed messages, or compressed.</summary>
/// <remarks>
/// <para>Steps: the constructor, <see cref="TryCopy"/>, <see cref="TryRepeatRemovals"/>, a flush of the store, and <see cref="Finish"/> or
/// <see cref="Abandon"/>. Copying and flushing wait for the disk and need no lock: the block takes no more records, what is removed in between
/// is removed from the copy too, and what is erased ends the rewrite. The other steps are called like all methods of the store, when nothing
/// is uncommitted.</para>
/// <para>A block is replaced by renaming a finished, flushed file over it: after a crash it has the old or the new generation. The removals of
/// older messages that the old one recorded are repeated in the newest block before.</para>
/// </remarks>
internal sealed class BlockRewrite
{
    private const string Concurrent = ".rewrite";

    private readonly FileStore _store;
    private readonly BlockHeader _header;
    private readonly string _unfinished;
    private readonly int _begin;
    private readonly int[] _positions; // in the old file, then in the new one; -1 without a message
    private readonly int[] _lengths;
    private readonly long[] _timestamps;
    private readonly List<(int Slot, long At)> _expiries = [];
    private List<SequenceRange> _removals = [];
    private int _length = BlockHeader.Bytes;
    private bool _isCancelled;

    /// <summary>Records which messages of a full block are left.</summary>
    /// <param name="store">The store.</param>
    /// <param name="block">The block.</param>
    /// <param name="concurrent">Whether other threads may use the store, and rewrite the block, before <see cref="Finish"/>.</param>
    public BlockRewrite(FileStore store, FileBlock block, bool concurrent)
    {
        _store = store;
        Block = block;
        _begin = block.Removed.NextLive(0);
        var count = block.Removed.PreviousLive(block.Slots - 1) + 1 - _begin;
        (_positions, _lengths, _timestamps) = (new int[count], new int[count], new long[count]);
        var index = block.Index;
        for (var i = 0; i < count; i++)
        {
            var isLive = block.IsLive(_begin + i);
            _positions[i] = isLive ? index.Positions[_begin + i] : -1;
            _lengths[i] = isLive ? index.LengthOf(_begin + i) : 0;
        }
        _header = block.Header with { Generation = block.Header.Generation + 1, First = block.First + (ulong)_begin, Compressed = store.Options.Compress };
        _unfinished = BlockNames.Block(_header.Number) + (concurrent ? Concurrent : "") + BlockNames.Temporary;
    }

    /// <summary>The block that is replaced.</summary>
    public FileBlock Block { get; }

    /// <summary>Rewrites a full block at once. A block with damage in it is left unchanged. Throws the exceptions of the file system.</summary>
    public static void Run(FileStore store, FileBlock block)
    {
        var rewrite = new BlockRewrite(store, block, concurrent: false);
        if (!rewrite.TryCopy())
        {
            rewrite.Abandon();
            return;
        }

        if (!rewrite.TryRepeatRemovals() || !store.TrySync())
        {
            throw new StoreException(StoreFaultKind.IoError, "Cannot flush before a block is replaced.");
        }

        rewrite.Finish();
    }

    /// <summary>Ends the rewrite: a message is erased in the old file.</summary>
    public void Cancel() => _isCancelled = true;

    /// <summary>Writes the new file and flushes it. Any thread. Throws the exceptions of the file system.</summary>
    /// <returns>False when a record is damaged: the block is left unchanged.</returns>
    public bool TryCopy()
    {
        var bytes = Read();
        var image = GC.AllocateUninitializedArray<byte>(BlockHeader.Bytes + _lengths.Sum());
        _header.Write(image);
        for (var i = 0; i < _positions.Length; i++)
        {
            if (_positions[i] < 0) continue;
            if (_positions[i] > bytes.Length - _lengths[i]) return false;
            var record = bytes.AsSpan(_positions[i], _lengths[i]);
            if (!Record.IsIntact(record, _store.Files.Salt)) return false;

            record.CopyTo(image.AsSpan(_length));
            var fixedPart = Record.ReadHeader(record);
            _timestamps[i] = fixedPart.Timestamp;
            if (fixedPart.TimeToLiveSeconds != 0) _expiries.Add((i, ExpiryQueue.MomentOf(fixedPart.Timestamp, fixedPart.TimeToLiveSeconds)));
            _positions[i] = _length;
            _length += record.Length;
        }
        _removals = _store.Compactor.ReadRemovals(Block, bytes);
        using var file = _store.Folder.Create(_unfinished);
        if (_header.Compressed) CompressedBlock.Write(_header, image, file);
        else file.Write(0, image);
        file.Sync();
        return true;
    }

    /// <summary>Repeats, in the newest block, the removals that the old file records. They must be on the disk before <see cref="Finish"/>.</summary>
    /// <returns>False when the disk failed.</returns>
    public bool TryRepeatRemovals()
    {
        _store.Compactor.RepeatRemovals(Block, _removals);
        if (!_store.TryFlush()) return false;

        // The repeated removals stay, whatever fails.
        _store.Committed.Mark();
        return true;
    }

    /// <summary>Replaces the block, unless it is gone or a message was erased in it. Throws the exceptions of the file system.</summary>
    public void Finish()
    {
        if (_isCancelled || _store.Fault is not null || !_store.Blocks.Span.Contains(Block))
        {
            Abandon();
            return;
        }

        _store.Compactor.Ended(this);
        var copy = new FileBlock(_store, _store.Folder, _header, null, 0);
        copy.Attach(new BlockIndex(_positions.Length));
        var index = Block.Index;
        for (var i = 0; i < _positions.Length; i++)
        {
            if (_positions[i] < 0)
            {
                copy.EnterGap(1);
                continue;
            }

            var slot = _begin + i;
            copy.Enter(_positions[i], index.SubjectIds[slot], index.Backs[slot], index.Lengths[slot], _timestamps[i]);
            if (Block.IsLive(slot)) continue;
            copy.Removed.Add(i);
            copy.LiveBytes -= _lengths[i];
        }
        foreach (var (slot, at) in _expiries) copy.NoteExpiry(slot, at);
        _store.Folder.Rename(_unfinished, BlockNames.Block(_header.Number));
        _store.Files.Replace(Block, copy, _length);
    }

    /// <summary>Leaves the block unchanged and deletes the new file.</summary>
    public void Abandon()
    {
        _store.Compactor.Ended(this);
        try
        {
            _store.Folder.Delete(_unfinished);
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            // The file is deleted when the store is opened the next time.
            _store.Unreadable.Add($"Cannot delete {_unfinished}: {e.Message}");
        }
    }

    // With a handle of its own: the store may close its own meanwhile.
    private byte[] Read()
    {
        using var reader = new FileBlock(_store, _store.Folder, Block.Header, _store.Folder.Open(BlockNames.Block(Block.Header.Number), writable: false), 0);
        return reader.ReadAll();
    }
}
