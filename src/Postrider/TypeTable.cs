// Hot path: DispatcherCore.SendByType -> this. Allocations: none once a type is known.
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Postrider;

/// <summary>A map from a type to its pipeline, read without a lock and copied on write.</summary>
/// <remarks>Open addressing on the type's handle, at most half full: about half the time of a
/// <see cref="Dictionary{TKey, TValue}"/>, which asks the type for its hash code through two virtual calls.</remarks>
internal sealed class TypeTable
{
    private const int InitialCapacity = 16;

    private readonly Lock _writing = new(); // guards replacing _entries
    private Entry[] _entries = new Entry[InitialCapacity];
    private int _count;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal Pipeline? Find(Type type)
    {
        var entries = _entries;
        for (var i = Hash(type) & (entries.Length - 1); ; i = (i + 1) & (entries.Length - 1))
        {
            ref var entry = ref entries[i];
            if ((object?)entry.Type == type)
                return entry.Pipeline;
            if (entry.Type is null)
                return null;
        }
    }

    internal void Add(Type type, Pipeline pipeline)
    {
        lock (_writing)
        {
            if (Find(type) is not null)
                return;

            // A new array each time: a reader sees the old or the new one, never a partial entry.
            var capacity = (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(InitialCapacity, (_count + 1) * 2));
            var copy = new Entry[capacity];
            foreach (var entry in _entries)
            {
                if (entry.Type is not null)
                    Put(copy, entry);
            }

            Put(copy, new Entry { Type = type, Pipeline = pipeline });
            _count++;
            Volatile.Write(ref _entries, copy);
        }
    }

    private static void Put(Entry[] entries, Entry added)
    {
        var i = Hash(added.Type!) & (entries.Length - 1);
        while (entries[i].Type is not null)
            i = (i + 1) & (entries.Length - 1);
        entries[i] = added;
    }

    // Handles are aligned addresses: the multiplication spreads them, the upper half has the best bits.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Hash(Type type) => (int)(((ulong)type.TypeHandle.Value * 0x9E3779B97F4A7C15UL) >> 33);

    private struct Entry
    {
        internal Type? Type;
        internal Pipeline? Pipeline;
    }
}
