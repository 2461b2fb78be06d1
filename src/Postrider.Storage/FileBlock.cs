// Hot path: MessageStore.Append -> this -> the block's buffer; FileStore.Commit -> this -> one write. Allocations: none.
using Postrider.Memory;
using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Records;

namespace Postrider.Storage;

/// <summary>A block of a <see cref="FileStore"/>: a file that only grows, and for the newest block a buffer of its end.</summary>
/// <remarks>
/// <para>The buffer contains unwritten bytes and, before them, the bytes written last: readers that follow the
/// publisher never read from the disk. Full blocks have neither a buffer nor, when memory is short, an index.</para>
/// <para>Not thread-safe except for <see cref="Sync"/>.</para>
/// </remarks>
internal sealed class FileBlock : Block
{
    // 256 KiB: a read batch is at most that large, and larger buffers did not publish faster (bench/RESULTS.md).
    private const int MaxBufferBytes = 256 * 1024;
    private const int MinBufferBytes = 4 * 1024;

    private readonly FileStore _store;
    private readonly IStoreFolder _folder;
    private IStoreFile? _file;
    private CompressedBlock? _frames;
    private BlockIndex? _index;
    private byte[] _buffer = [];
    private long _bufferAt;
    private int _buffered;
    private int _written;
    private long _sealedAt;

    /// <summary>Creates a block that exists on the disk, or is about to.</summary>
    public FileBlock(FileStore store, IStoreFolder folder, BlockHeader header, IStoreFile? file, long length)
        : base(header.First)
    {
        _store = store;
        _folder = folder;
        _file = file;
        Header = header;
        _bufferAt = length;
    }

    /// <summary>The header of its file.</summary>
    public BlockHeader Header { get; }

    /// <summary>The positions of records that are not messages.</summary>
    public List<int> Controls { get; } = [];

    /// <summary>Bytes of those records.</summary>
    public long ControlBytes { get; set; }

    /// <summary>Slots whose message has a time to live, and when it ends (nanoseconds since 1970).</summary>
    public List<(int Slot, long At)> Expiries { get; } = [];

    /// <summary>Whether the block takes no more records.</summary>
    public bool IsSealed { get; private set; }

    /// <summary>When its index was last used, by the store's clock.</summary>
    public long UsedAt { get; private set; }

    /// <summary>Whether the index was read since the block was sealed.</summary>
    public bool IsRead => UsedAt > _sealedAt;

    /// <summary>Whether the index is in memory.</summary>
    public bool IsLoaded => _index is not null;

    /// <inheritdoc/>
    public override long DataBytes => _bufferAt + _buffered;

    /// <inheritdoc/>
    public override long KeptBytes => LiveBytes + ControlBytes + BlockHeader.Bytes;

    /// <summary>Bytes of records of messages that were removed.</summary>
    public long GarbageBytes => DataBytes - BlockHeader.Bytes - LiveBytes - ControlBytes;

    /// <summary>Bytes that are not written to the disk yet.</summary>
    public int UnwrittenBytes => _buffered - _written;

    /// <inheritdoc/>
    public override BlockIndex Index
    {
        get
        {
            UsedAt = _store.Clock;
            return _index ?? _store.LoadIndex(this);
        }
    }

    /// <summary>The file; opened when needed.</summary>
    public IStoreFile File => _file ??= OpenFile();

    /// <summary>Takes the open file out of the block, to be closed by the caller.</summary>
    public IStoreFile? TakeFile()
    {
        var file = _file;
        _file = null;
        return file;
    }

    /// <summary>Whether the file can only be read.</summary>
    public bool IsReadOnly { get; private set; }

    /// <inheritdoc/>
    public override bool Fits(int length) => !IsSealed && (Slots == 0 || DataBytes + length <= _store.BlockBytes);

    /// <inheritdoc/>
    public override StoreStatus TryRead(int slot, out ReadOnlySpan<byte> record)
    {
        var index = Index;
        var position = index.Positions[slot];
        var length = index.LengthOf(slot);
        if (position < 0)
        {
            // The index was rebuilt from damaged records.
            _store.Unreadable.Add($"Block {Header.Number:x8}: the record of message {First + (ulong)slot} is missing");
            record = default;
            return StoreStatus.Damaged;
        }

        if (position >= _bufferAt)
        {
            record = _buffer.AsSpan((int)(position - _bufferAt), length);
            return StoreStatus.Ok;
        }

        if (!_store.Cache.TryReadLatest(this, position, length, out record) && !TryReadDisk(position, length, out record))
        {
            return StoreStatus.Damaged;
        }

        if (Record.IsIntact(record, Header.Salt) && Record.IsMessage(record))
        {
            return StoreStatus.Ok;
        }

        _store.Unreadable.Add($"Block {Header.Number:x8} at {position}: the record of message {First + (ulong)slot} is damaged");
        return StoreStatus.Damaged;
    }

    /// <inheritdoc/>
    public override void NoteExpiry(int slot, long at) => Expiries.Add((slot, at));

    /// <summary>Reads uncompressed bytes that are on the disk.</summary>
    public int ReadBytes(long position, Span<byte> target)
    {
        if (Header.Compressed)
        {
            _frames ??= CompressedBlock.Read(File);
            return _frames.Read(File, position, target);
        }

        return File.Read(position, target);
    }

    /// <summary>The whole uncompressed block, without unwritten bytes.</summary>
    public byte[] ReadAll()
    {
        var bytes = GC.AllocateUninitializedArray<byte>((int)FindLength());
        var read = ReadAll(bytes.AsSpan());
        return read == bytes.Length ? bytes : bytes[..read];
    }

    /// <summary>The same, in a buffer that grows as needed.</summary>
    /// <returns>Part of the buffer.</returns>
    public Span<byte> ReadAll(NativeArray<byte> buffer)
    {
        var length = (int)FindLength();
        buffer.Reserve(length);
        var bytes = buffer.Slice(0, length);
        return bytes[..ReadAll(bytes)];
    }

    /// <inheritdoc/>
    public override bool TryReserve(int length, out int position, out Span<byte> target)
    {
        if (_buffered + length > _buffer.Length && !TryMakeRoom(length))
        {
            position = 0;
            target = default;
            return false;
        }

        position = (int)(_bufferAt + _buffered);
        target = _buffer.AsSpan(_buffered, length);
        _buffered += length;
        return true;
    }

    /// <inheritdoc/>
    public override bool TryErase(int slot)
    {
        var index = Index;
        var (position, length) = (index.Positions[slot], index.LengthOf(slot));
        if (Header.Compressed)
        {
            // Frames cannot be overwritten in place: the next commit rewrites the block without the message.
            _store.Compactor.RewriteErased(this);
            return true;
        }

        _store.Compactor.Erased(this);

        // The removal is on the disk before the content is overwritten: a crash in between leaves a removed message, and
        // never one that exists and is empty.
        if (!_store.Compactor.TryWriteRemoval(First + (ulong)slot) || !_store.TryFlush())
        {
            return false;
        }

        _store.Committed.Mark();
        var status = TryRead(slot, out var record);
        var erased = new byte[length];
        if (status == StoreStatus.Ok)
        {
            record.CopyTo(erased);
            erased.AsSpan(Record.HeaderBytes).Clear();
            var header = Record.ReadHeader(record);
            Record.Write(erased, header with { Kind = RecordKind.Erased }, new byte[header.SubjectLength], new byte[header.HeadersLength], new byte[length - Record.HeaderBytes - header.SubjectLength - header.HeadersLength]);
            Record.Seal(erased, Header.Salt);
        }

        return _store.TryWrite("erase", () =>
        {
            if (_store.Options.Durability != StoreDurability.PageCache)
            {
                _store.Files.Dirty.Sync();
            }

            File.Write(position, erased);
            if (_store.Options.Durability == StoreDurability.PageCache)
            {
                _store.Files.Dirty.Add(File, _store.LastCommit);
            }
            else
            {
                File.Sync();
            }

            if (position >= _bufferAt)
            {
                erased.CopyTo(_buffer, position - _bufferAt);
            }

            _store.Cache.Remove(this);
        });
    }

    /// <summary>Writes the buffered bytes in one write. Throws the exceptions of the file system.</summary>
    public void Flush()
    {
        if (_buffered > _written)
        {
            File.Write(_bufferAt + _written, _buffer.AsSpan(_written, _buffered - _written));
            _written = _buffered;
        }
    }

    /// <summary>Returns when everything written is on the disk. Any thread.</summary>
    public void Sync() => File.Sync();

    /// <summary>Continues after <paramref name="length"/> bytes that are on the disk.</summary>
    public void Resume(long length) => _bufferAt = length;

    /// <summary>Seals the block: its buffer is released, its index is kept until memory is short.</summary>
    public void Seal()
    {
        IsSealed = true;
        _bufferAt += _buffered;
        _buffered = 0;
        _written = 0;
        _buffer = [];
        _index?.TrimExcess();
        _sealedAt = _store.Clock;
    }

    /// <summary>Releases the buffer of an idle block.</summary>
    public void TrimBuffer()
    {
        if (_buffered == _written && _buffer.Length > 0)
        {
            _bufferAt += _buffered;
            _buffered = 0;
            _written = 0;
            _buffer = [];
        }
    }

    /// <summary>Sets the index.</summary>
    public void Attach(BlockIndex index)
    {
        _index = index;
        UsedAt = _store.Clock;
    }

    /// <summary>Sets what was found out about a block on the disk.</summary>
    public void Restore(int slots, long lastTimestamp, RemovedSet? removed)
    {
        Slots = slots;
        LastTimestamp = lastTimestamp;
        if (removed is not null)
        {
            Removed.Load(removed.Words);
        }
    }

    /// <summary>Releases the index of a full block.</summary>
    /// <returns>The number of bytes released.</returns>
    public long Unload()
    {
        var bytes = _index?.Bytes ?? 0;
        _index?.Dispose();
        _index = null;
        return bytes;
    }

    /// <summary>Truncates the file and the slots.</summary>
    public void Cut(long length, int slots)
    {
        Flush();
        File.SetLength(length);
        TruncateSlots(slots);
        Controls.RemoveAll(position => position >= length);
        Expiries.RemoveAll(expiry => expiry.Slot >= slots);
        _bufferAt = length;
        _buffered = 0;
        _written = 0;
        _store.Cache.Remove(this);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            if (_file is { } file) _store.Files.Close(file);
            _file = null;
            _frames = null;
            Unload();
            _buffer = [];
        }
    }

    private bool TryReadDisk(long position, int length, out ReadOnlySpan<byte> record)
    {
        try
        {
            record = _store.Cache.Read(this, position, length);
            return true;
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            _store.Unreadable.Add($"Block {Header.Number:x8} at {position}: {e.Message}");
            record = default;
            return false;
        }
    }

    private long FindLength()
    {
        if (!Header.Compressed)
        {
            return File.Length;
        }

        _frames = CompressedBlock.Read(File);
        return _frames.LogicalLength;
    }

    private int ReadAll(Span<byte> target)
    {
        var read = ReadBytes(0, target);
        if (Header.Compressed)
        {
            Header.Write(target);
        }

        return read;
    }

    private IStoreFile OpenFile()
    {
        var name = BlockNames.Block(Header.Number);
        try
        {
            return _folder.Open(name, writable: true);
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e) && DiskErrors.ToFault(name, e).Kind == StoreFaultKind.ReadOnlyDisk)
        {
            IsReadOnly = true;
            return _folder.Open(name, writable: false);
        }
    }

    /// <summary>Writes pending bytes if necessary, then makes room in the buffer.</summary>
    private bool TryMakeRoom(int length)
    {
        var wanted = _buffered - _written + length;
        if (wanted > MaxBufferBytes && UnwrittenBytes > 0)
        {
            // In mid-batch: acknowledgements are only sent after Commit, so writing earlier is safe.
            if (!_store.TryFlush())
            {
                return false;
            }

            wanted = length;
        }

        // Keep the unwritten bytes; drop those that readers can still read from the page cache.
        var size = Math.Max(_buffer.Length, MinBufferBytes);
        while (size < wanted || (size < MaxBufferBytes && UnwrittenBytes * 2 > size))
        {
            size *= 2;
        }

        var next = size > _buffer.Length ? GC.AllocateUninitializedArray<byte>(size) : _buffer;
        BulkCopy.Copy(_buffer.AsSpan(_written, _buffered - _written), next);
        _buffer = next;
        _bufferAt += _written;
        _buffered -= _written;
        _written = 0;
        return true;
    }
}
