namespace Postrider.UnitTests.Storage;

/// <summary>A file that remembers what was flushed and each write since.</summary>
internal sealed class SimulatedFile
{
    // Also the lock: a group's flushes come from another thread.
    private readonly List<(long Offset, byte[] Bytes, long Cut)> _unsynced = [];
    private byte[] _bytes;
    private byte[] _synced;
    private int _length;

    public SimulatedFile(byte[]? bytes = null)
    {
        _bytes = bytes ?? [];
        _synced = (byte[])_bytes.Clone();
        _length = _bytes.Length;
    }

    public long Length => _length;

    public byte[] Bytes => _bytes[.._length];

    public int Read(long offset, Span<byte> target)
    {
        var count = (int)Math.Max(0, Math.Min(target.Length, _length - offset));
        _bytes.AsSpan((int)Math.Min(offset, _length), count).CopyTo(target);
        return count;
    }

    public void Write(long offset, ReadOnlySpan<byte> bytes)
    {
        lock (_unsynced)
        {
            _unsynced.Add((offset, bytes.ToArray(), -1));
            Apply(ref _bytes, ref _length, offset, bytes);
        }
    }

    public void SetLength(long length)
    {
        lock (_unsynced)
        {
            _unsynced.Add((0, [], length));
            Cut(ref _bytes, ref _length, length);
        }
    }

    public void Sync()
    {
        lock (_unsynced)
        {
            _synced = Bytes;
            _unsynced.Clear();
        }
    }

    public void Overwrite(byte[] bytes)
    {
        _bytes = bytes;
        _length = bytes.Length;
        Sync();
    }

    /// <summary>The flushed bytes plus some of the writes since, in order, the last of them torn at any byte.</summary>
    public SimulatedFile AfterPowerCut(Random random)
    {
        var bytes = (byte[])_synced.Clone();
        var length = bytes.Length;
        var kept = random.Next(_unsynced.Count + 1);
        for (var i = 0; i < kept; i++)
        {
            var (offset, written, cut) = _unsynced[i];
            if (cut >= 0)
            {
                Cut(ref bytes, ref length, cut);
                continue;
            }

            var part = i == kept - 1 ? random.Next(written.Length + 1) : written.Length;
            Apply(ref bytes, ref length, offset, written.AsSpan(0, part));
        }

        return new SimulatedFile(bytes[..length]);
    }

    private static void Apply(ref byte[] target, ref int length, long offset, ReadOnlySpan<byte> bytes)
    {
        var end = (int)offset + bytes.Length;
        if (end > target.Length)
        {
            Array.Resize(ref target, Math.Max(end, target.Length * 2));
        }

        bytes.CopyTo(target.AsSpan((int)offset));
        length = Math.Max(length, end);
    }

    private static void Cut(ref byte[] target, ref int length, long to)
    {
        if (to > target.Length)
        {
            Array.Resize(ref target, (int)to);
        }

        if (to < length)
        {
            target.AsSpan((int)to, length - (int)to).Clear();
        }

        length = (int)to;
    }
}
