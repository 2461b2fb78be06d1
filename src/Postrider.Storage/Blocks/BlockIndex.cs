using System.Runtime.CompilerServices;
using Postrider.Storage.Records;

namespace Postrider.Storage.Blocks;

/// <summary>The position and subject of each message of one block: 16 bytes per message.</summary>
/// <remarks>Shape: four parallel arrays, so that a search for a subject only reads its ids. A slot is a sequence minus
/// the block's first. Slots without a record (skipped, or dropped by compaction) have position -1.
/// Not thread-safe.</remarks>
internal sealed class BlockIndex(int capacity) : IDisposable
{
    /// <summary>Set in <see cref="Lengths"/> when the message has headers: the reported size of a message depends on it.</summary>
    public const int HasHeaders = int.MinValue;

    /// <summary>Offset of the record in its block, or -1.</summary>
    public NativeArray<int> Positions { get; } = new(capacity);

    /// <summary>Subject id, or -1.</summary>
    public NativeArray<int> SubjectIds { get; } = new(capacity);

    /// <summary>Distance to the previous message of the subject; 0 = unknown.</summary>
    public NativeArray<uint> Backs { get; } = new(capacity);

    /// <summary>Bytes of the record, with <see cref="HasHeaders"/>.</summary>
    public NativeArray<int> Lengths { get; } = new(capacity);

    /// <summary>The number of slots in use.</summary>
    public int Count => Positions.Count;

    /// <summary>Native bytes held.</summary>
    public long Bytes => Positions.Bytes + SubjectIds.Bytes + Backs.Bytes + Lengths.Bytes;

    /// <summary>Adds the next slot.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(int position, int subjectId, uint back, int length)
    {
        Positions.Add(position);
        SubjectIds.Add(subjectId);
        Backs.Add(back);
        Lengths.Add(length);
    }

    /// <summary>Bytes of the record in a slot.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int LengthOf(int slot) => Lengths[slot] & int.MaxValue;

    /// <summary>Drops the slots from <paramref name="count"/> on.</summary>
    public void Truncate(int count)
    {
        Positions.Count = count;
        SubjectIds.Count = count;
        Backs.Count = count;
        Lengths.Count = count;
    }

    /// <summary>Maps the pages of all slots of the capacity before they are written.</summary>
    public void MapPages()
    {
        Positions.MapPages(0, Positions.Capacity);
        SubjectIds.MapPages(0, SubjectIds.Capacity);
        Backs.MapPages(0, Backs.Capacity);
        Lengths.MapPages(0, Lengths.Capacity);
    }

    /// <summary>Releases unused memory: the block is full.</summary>
    public void TrimExcess()
    {
        Positions.TrimExcess();
        SubjectIds.TrimExcess();
        Backs.TrimExcess();
        Lengths.TrimExcess();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Positions.Dispose();
        SubjectIds.Dispose();
        Backs.Dispose();
        Lengths.Dispose();
    }
}
