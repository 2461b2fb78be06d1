using Postrider.Storage.Files;

namespace Postrider.UnitTests.Storage;

/// <summary>A folder in memory that can lose what was not flushed, run full, refuse writes and fail.</summary>
internal sealed class SimulatedDisk : IStoreFolder
{
    private const int NoSpace = 28;
    private const int ReadOnly = 30;

    private readonly Dictionary<string, SimulatedFile> _durable = [];
    // Locked while it is changed or applied: a group's flushes come from another thread.
    private readonly List<Action<Dictionary<string, SimulatedFile>>> _pending = [];
    private Dictionary<string, SimulatedFile> _entries = [];
    private Action<string>? _fault;

    public string Path => "/simulated";

    /// <summary>Bytes that may still be written.</summary>
    public long Room { get; set; } = long.MaxValue;

    public bool IsReadOnly { get; set; }

    public bool FailSync { get; set; }

    public bool FailRead { get; set; }

    public int Syncs { get; set; }

    /// <summary>Whether the folder was removed: files that are open go on, nothing can be opened or created.</summary>
    public bool IsRemoved { get; set; }

    /// <summary>A file that may be neither read nor written.</summary>
    public string? Denied { get; set; }

    public bool Exists => !IsRemoved;

    public void Ensure()
    {
        if (IsRemoved) _entries.Clear();
        IsRemoved = false;
    }

    public bool Has(string name) => !IsRemoved && _entries.ContainsKey(name);

    /// <summary>Called before each operation with its name; may throw.</summary>
    public void OnOperation(Action<string>? fault) => _fault = fault;

    public byte[] Contents(string name) => _entries[name].Bytes;

    public void Replace(string name, byte[] bytes) => _entries[name].Overwrite(bytes);

    public IReadOnlyList<string> Files() => IsRemoved ? [] : [.. _entries.Keys.Order()];

    public IReadOnlyList<string> Folders() => [];

    public IStoreFolder Folder(string name) => throw new NotSupportedException();

    public IStoreFile Open(string name, bool writable)
    {
        Check("open");
        if (IsRemoved || !_entries.TryGetValue(name, out var file))
        {
            throw new FileNotFoundException(name);
        }

        if (name == Denied) throw new UnauthorizedAccessException($"Access to the path '{name}' is denied.");
        return writable && IsReadOnly ? throw ReadOnlyError() : new Handle(this, file);
    }

    public IStoreFile Create(string name)
    {
        CheckWritable("create");
        if (IsRemoved) throw new DirectoryNotFoundException("Could not find a part of the path");
        if (name == Denied) throw new UnauthorizedAccessException($"Access to the path '{name}' is denied.");
        var file = new SimulatedFile();
        Change(entries => entries[name] = file);
        return new Handle(this, file);
    }

    public void Rename(string from, string to)
    {
        CheckWritable("rename");
        var file = _entries[from];
        Change(entries =>
        {
            entries.Remove(from);
            entries[to] = file;
        });
    }

    public void Delete(string name)
    {
        CheckWritable("delete");
        if (_entries.TryGetValue(name, out var file))
        {
            Room += Math.Min(file.Length, long.MaxValue - Room);
            Change(entries => entries.Remove(name));
        }
    }

    public void DeleteAll() => Change(entries => entries.Clear());

    public void Sync()
    {
        Check("sync");
        lock (_pending)
        {
            foreach (var change in _pending)
            {
                change(_durable);
            }

            _pending.Clear();
        }
    }

    /// <summary>What a machine finds that lost its power now: some of what was not flushed, the last write torn.</summary>
    public SimulatedDisk PowerCut(Random random)
    {
        var after = new SimulatedDisk();
        var entries = new Dictionary<string, SimulatedFile>(_durable);
        foreach (var change in _pending.Take(random.Next(_pending.Count + 1)))
        {
            change(entries);
        }

        foreach (var (name, file) in entries)
        {
            after._entries[name] = file.AfterPowerCut(random);
            after._durable[name] = after._entries[name];
        }

        return after;
    }

    /// <summary>What the next process finds when this one is killed now: everything that was written.</summary>
    public SimulatedDisk Copy()
    {
        var copy = new SimulatedDisk();
        foreach (var (name, file) in _entries)
        {
            copy._entries[name] = new SimulatedFile(file.Bytes);
            copy._durable[name] = copy._entries[name];
        }

        return copy;
    }

    private static IOException ReadOnlyError() => new("Read-only file system", ReadOnly);

    private void Change(Action<Dictionary<string, SimulatedFile>> change)
    {
        change(_entries);
        lock (_pending)
        {
            _pending.Add(change);
        }
    }

    private void Check(string operation) => _fault?.Invoke(operation);

    private void CheckWritable(string operation)
    {
        Check(operation);
        if (IsReadOnly)
        {
            throw ReadOnlyError();
        }
    }

    private sealed class Handle(SimulatedDisk disk, SimulatedFile file) : IStoreFile
    {
        private bool _isClosed;

        public long Length => file.Length;

        public int Read(long offset, Span<byte> target)
        {
            ObjectDisposedException.ThrowIf(_isClosed, this);
            disk.Check("read");
            return disk.FailRead ? throw new IOException("Input/output error", 5) : file.Read(offset, target);
        }

        public void Write(long offset, ReadOnlySpan<byte> bytes)
        {
            ObjectDisposedException.ThrowIf(_isClosed, this);
            disk.CheckWritable("write");
            var room = (int)Math.Min(bytes.Length, disk.Room);
            file.Write(offset, bytes[..room]);
            disk.Room -= room;
            if (room < bytes.Length)
            {
                throw new IOException("No space left on device", NoSpace);
            }
        }

        public void SetLength(long length)
        {
            ObjectDisposedException.ThrowIf(_isClosed, this);
            disk.CheckWritable("cut");
            file.SetLength(length);
        }

        public void Sync()
        {
            ObjectDisposedException.ThrowIf(_isClosed, this);
            disk.Check("sync");
            if (disk.FailSync)
            {
                throw new IOException("Input/output error", 5);
            }

            disk.Syncs++;
            file.Sync();
        }

        public void Dispose() => _isClosed = true;
    }
}
