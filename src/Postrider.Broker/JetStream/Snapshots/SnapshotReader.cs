using System.Buffers;

namespace Postrider.Broker.JetStream.Snapshots;

/// <summary>Reads the entries of an archive whose bytes arrive in parts, and holds at most one entry.</summary>
/// <remarks>Not thread-safe.</remarks>
internal sealed class SnapshotReader
{
    // Enough for most entries and blocks; a larger buffer is released when its entry has been read.
    private const int KeptBytes = 256 * 1024;

    private byte[] _held = [];
    private int _start;
    private int _end;

    /// <summary>Bytes of memory that are held.</summary>
    public long HeldBytes => _held.Length;

    /// <summary>Adds the next bytes. Before the next call, read entries until more bytes are needed.</summary>
    /// <param name="bytes">At most a block of an archive. Copied.</param>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        var rest = _end - _start;
        if (bytes.Length > _held.Length - _end)
        {
            var needed = rest + bytes.Length;
            var target = needed > _held.Length || (_held.Length > KeptBytes && needed <= KeptBytes)
                ? GC.AllocateUninitializedArray<byte>(Math.Max(needed, Math.Min(2 * _held.Length, SnapshotFormat.MaxEntryBytes)))
                : _held;
            _held.AsSpan(_start, rest).CopyTo(target);
            (_held, _start, _end) = (target, 0, rest);
        }

        bytes.CopyTo(_held.AsSpan(_end));
        _end += bytes.Length;
    }

    /// <summary>Reads the first bytes of an archive.</summary>
    /// <returns><see cref="OperationStatus.Done"/>, <see cref="OperationStatus.NeedMoreData"/> or <see cref="OperationStatus.InvalidData"/>.</returns>
    public OperationStatus TryReadMagic()
    {
        if (_end - _start < SnapshotFormat.Magic.Length) return OperationStatus.NeedMoreData;
        if (!_held.AsSpan(_start).StartsWith(SnapshotFormat.Magic)) return OperationStatus.InvalidData;
        _start += SnapshotFormat.Magic.Length;
        return OperationStatus.Done;
    }

    /// <summary>Reads the next entry.</summary>
    /// <param name="entry">Valid until the next call of <see cref="Add"/>.</param>
    /// <returns><see cref="OperationStatus.Done"/>, <see cref="OperationStatus.NeedMoreData"/>, or
    /// <see cref="OperationStatus.InvalidData"/> when an entry is invalid or too large.</returns>
    public OperationStatus TryRead(out SnapshotEntry entry)
    {
        ReadOnlySpan<byte> rest = _held.AsSpan(_start, _end - _start);
        var status = SnapshotFormat.TryRead(ref rest, out entry);
        if (status == OperationStatus.Done) _start = _end - rest.Length;
        return status;
    }
}
