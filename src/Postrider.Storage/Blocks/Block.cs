using System.Runtime.CompilerServices;
using Postrider.Storage.Faults;

namespace Postrider.Storage.Blocks;

/// <summary>A run of consecutive sequences and the bytes of their records.</summary>
/// <remarks>Not thread-safe: guarded by the owner of the store. Memory and file blocks differ in where the bytes are stored.</remarks>
internal abstract class Block(ulong first) : IDisposable
{
    /// <summary>Sequence of slot 0.</summary>
    public ulong First { get; } = first;

    /// <summary>The number of sequences covered, whether or not a message is left in them.</summary>
    public int Slots { get; protected set; }

    /// <summary>The sequence after the last one covered.</summary>
    public ulong Next => First + (ulong)Slots;

    /// <summary>Slots without a message.</summary>
    public RemovedSet Removed { get; } = new();

    /// <summary>The number of messages left.</summary>
    public int Messages => Slots - Removed.Count;

    /// <summary>Bytes of the records of the messages that are left.</summary>
    public long LiveBytes { get; set; }

    /// <summary>Bytes of the block that must be kept when it is compacted.</summary>
    public virtual long KeptBytes => LiveBytes;

    /// <summary>Timestamp of the newest message ever added, in nanoseconds since 1970.</summary>
    public long LastTimestamp { get; protected set; }

    /// <summary>Bytes of all records in the block.</summary>
    public abstract long DataBytes { get; }

    /// <summary>The index of the records.</summary>
    public abstract BlockIndex Index { get; }

    /// <summary>Whether a record of that length fits into this block.</summary>
    public abstract bool Fits(int length);

    /// <summary>Reads the bytes of one record.</summary>
    /// <param name="slot">A slot with a message.</param>
    /// <param name="record">The record: valid until the next call on the store.</param>
    /// <returns><see cref="StoreStatus.Ok"/> or <see cref="StoreStatus.Damaged"/>.</returns>
    public abstract StoreStatus TryRead(int slot, out ReadOnlySpan<byte> record);

    /// <summary>Reserves space for a record at the block's end.</summary>
    /// <param name="length">Bytes of the record.</param>
    /// <param name="position">Its position in the block.</param>
    /// <param name="target">Exactly <paramref name="length"/> bytes, to be filled before the next call.</param>
    /// <returns>False when writing earlier bytes failed.</returns>
    public abstract bool TryReserve(int length, out int position, out Span<byte> target);

    /// <summary>Overwrites the content of one message, which has been removed already.</summary>
    /// <returns>False when writing failed.</returns>
    public abstract bool TryErase(int slot);

    /// <summary>Records when a slot's message expires (nanoseconds since 1970), if the block has to store it.</summary>
    public virtual void NoteExpiry(int slot, long at)
    {
    }

    /// <summary>Whether the slot holds a message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsLive(int slot) => (uint)slot < (uint)Slots && !Removed.Contains(slot);

    /// <summary>Adds a message that was written at <paramref name="position"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter(int position, int subjectId, uint back, int length, long timestamp)
    {
        Index.Add(position, subjectId, back, length);
        Slots++;
        LiveBytes += length & int.MaxValue;
        LastTimestamp = timestamp;
    }

    /// <summary>Covers sequences without a message.</summary>
    public void EnterGap(int slots)
    {
        for (var i = 0; i < slots; i++)
        {
            Index.Add(-1, -1, 0, 0);
            Removed.Add(Slots++);
        }
    }

    /// <summary>Drops the slots from <paramref name="slots"/> on; the caller handles their bytes.</summary>
    public void TruncateSlots(int slots)
    {
        Index.Truncate(slots);
        Removed.Truncate(slots);
        Slots = slots;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Releases memory and handles.</summary>
    protected abstract void Dispose(bool disposing);
}
