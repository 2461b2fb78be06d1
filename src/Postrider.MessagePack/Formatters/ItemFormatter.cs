// Hot path: generated formatter -> this -> the item's formatter. Allocations: the array or list read.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Postrider.MessagePack.Formatters;

/// <summary>Reads and writes the items of every kind of collection.</summary>
internal static class ItemFormatter
{
    // An array header may announce as many items as bytes remain. Room is allocated for up to eight bytes of items per remaining byte, so that
    // a reference or a number for each byte fits immediately; larger items grow with the actual data.
    private const int RoomPerByte = 8;
    private const int MinRoom = 16;

    /// <summary>The overhead of an item in a hash table: its hash code, the next one's index and a share of the buckets, so
    /// that its room is a fraction of an array's.</summary>
    public const int HashRoomFactor = 4;

    public static void Write<T, TFormatter>(ref MessagePackWriter writer, ReadOnlySpan<T> items)
        where TFormatter : struct, IMessagePackFormatter<T>
    {
        writer.WriteArrayHeader(items.Length);
        writer.Descend();
        foreach (var item in items)
            default(TFormatter).Write(ref writer, item);
        writer.Ascend();
    }

    public static T[] ReadArray<T, TFormatter>(ref MessagePackReader reader)
        where TFormatter : struct, IMessagePackFormatter<T>
    {
        var count = reader.ReadArrayHeader();
        if (count == 0)
            return [];

        reader.Descend();
        var items = new T[Room<T>(count, reader.Remaining)];
        var span = items.AsSpan();
        for (var i = 0; i < count; i++)
        {
            if (i == span.Length)
            {
                Array.Resize(ref items, (int)Math.Min(count, items.Length * 2L));
                span = items;
            }

            span[i] = default(TFormatter).Read(ref reader)!;
        }

        reader.Ascend();
        return items;
    }

    public static List<T> ReadList<T, TFormatter>(ref MessagePackReader reader)
        where TFormatter : struct, IMessagePackFormatter<T>
    {
        var count = reader.ReadArrayHeader();
        var room = Room<T>(count, reader.Remaining);
        var list = new List<T>(room);
        reader.Descend();
        if (room == count)
        {
            CollectionsMarshal.SetCount(list, count);
            var span = CollectionsMarshal.AsSpan(list);
            for (var i = 0; i < span.Length; i++)
                span[i] = default(TFormatter).Read(ref reader)!;
        }
        else
        {
            for (var i = 0; i < count; i++)
                list.Add(default(TFormatter).Read(ref reader)!);
        }

        reader.Ascend();
        return list;
    }

    /// <summary>The number of items to allocate room for, given the number in a header.</summary>
    public static int Room<T>(int count, long remaining)
        => (int)Math.Min(count, Math.Max(MinRoom, remaining * RoomPerByte / Unsafe.SizeOf<T>()));
}
