using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Postrider.Storage.Blocks;

/// <summary>The contents of an index file.</summary>
/// <param name="bytes">The whole file.</param>
/// <param name="start">The offset of the arrays.</param>
internal sealed class BlockContents(byte[] bytes, int start)
{
    private const int ExpiryBytes = 12;

    /// <summary>Sequence of slot 0.</summary>
    public ulong First { get; init; }

    /// <summary>The number of slots.</summary>
    public int Slots { get; init; }

    /// <summary>Timestamp of the newest message, nanoseconds since 1970.</summary>
    public long LastTimestamp { get; init; }

    /// <summary>Uncompressed length of the block.</summary>
    public long DataBytes { get; init; }

    /// <summary>The number of different subjects.</summary>
    public int SubjectCount { get; init; }

    /// <summary>The number of records that are not messages.</summary>
    public int ControlCount { get; init; }

    /// <summary>The number of messages with a time to live.</summary>
    public int ExpiryCount { get; init; }

    /// <summary>Offset of each record, or -1.</summary>
    public ReadOnlySpan<int> Positions => Numbers(0, Slots);

    /// <summary>Length of each record, with the flag of <see cref="BlockIndex.HasHeaders"/>.</summary>
    public ReadOnlySpan<int> Lengths => Numbers(Slots, Slots);

    /// <summary>Distance to the previous message with the same subject.</summary>
    public ReadOnlySpan<uint> Backs => MemoryMarshal.Cast<int, uint>(Numbers(2 * Slots, Slots));

    /// <summary>The file's local number of each subject; -1 without a message.</summary>
    public ReadOnlySpan<int> SubjectNumbers => Numbers(3 * Slots, Slots);

    /// <summary>Offsets of the records that are not messages.</summary>
    public ReadOnlySpan<int> Controls => Numbers(4 * Slots, ControlCount);

    /// <summary>One message with a time to live.</summary>
    public (int Slot, long At) Expiry(int i)
    {
        var at = bytes.AsSpan(ExpiriesAt + (i * ExpiryBytes));
        return (BinaryPrimitives.ReadInt32LittleEndian(at), BinaryPrimitives.ReadInt64LittleEndian(at[4..]));
    }

    /// <summary>Calls <paramref name="toId"/> for each subject and keeps the ids.</summary>
    public int[] MapSubjects(Func<byte[], int, int, int> toId)
    {
        var ids = new int[SubjectCount];
        var at = ExpiriesAt + (ExpiryCount * ExpiryBytes);
        for (var i = 0; i < ids.Length; i++)
        {
            var length = BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(at));
            ids[i] = toId(bytes, at + 2, length);
            at += 2 + length;
        }

        return ids;
    }

    /// <summary>The index, with the ids of a table.</summary>
    public BlockIndex ToIndex(int[] ids)
    {
        var index = new BlockIndex(Slots);
        index.Positions.Count = Slots;
        index.Lengths.Count = Slots;
        index.Backs.Count = Slots;
        index.SubjectIds.Count = Slots;
        Positions.CopyTo(index.Positions.Span);
        Lengths.CopyTo(index.Lengths.Span);
        Backs.CopyTo(index.Backs.Span);
        var numbers = SubjectNumbers;
        for (var slot = 0; slot < numbers.Length; slot++)
        {
            index.SubjectIds[slot] = numbers[slot] < 0 ? -1 : ids[numbers[slot]];
        }

        return index;
    }

    private int ExpiriesAt => start + (4 * ((4 * Slots) + ControlCount));

    private ReadOnlySpan<int> Numbers(int from, int count) => MemoryMarshal.Cast<byte, int>(bytes.AsSpan(start)).Slice(from, count);
}
