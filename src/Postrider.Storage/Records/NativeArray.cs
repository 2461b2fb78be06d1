using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Postrider.Storage.Records;

/// <summary>A growing array outside the managed heap: doubling a large one moves pages instead of copying them, and
/// millions of entries cost the collector nothing.</summary>
/// <remarks>Not thread-safe. The owner disposes it; a finalizer gives the memory back when it does not.</remarks>
internal sealed unsafe class NativeArray<T> : IDisposable
    where T : unmanaged
{
    private T* _items;

    /// <summary>Creates an array with room for <paramref name="capacity"/> items.</summary>
    public NativeArray(int capacity, bool zeroed = false)
    {
        Capacity = Math.Max(capacity, 1);
        _items = (T*)(zeroed ? NativeMemory.AllocZeroed((nuint)Capacity, (nuint)sizeof(T)) : NativeMemory.Alloc((nuint)Capacity, (nuint)sizeof(T)));
    }

#pragma warning disable MA0055 // The memory is not the collector's: a store dropped without Dispose must not leak it.
    /// <summary>Gives the memory back.</summary>
    ~NativeArray() => Free();
#pragma warning restore MA0055

    /// <summary>Items there is room for.</summary>
    public int Capacity { get; private set; }

    /// <summary>Items in use.</summary>
    public int Count { get; set; }

    /// <summary>Bytes held.</summary>
    public long Bytes => (long)Capacity * sizeof(T);

    /// <summary>The items in use.</summary>
    public Span<T> Span => new(_items, Count);

    /// <summary>One item; the caller keeps <paramref name="index"/> below <see cref="Capacity"/>.</summary>
    public ref T this[int index]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            Debug.Assert((uint)index < (uint)Capacity);
            return ref _items[(nint)(uint)index];
        }
    }

    /// <summary>Appends one item.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(T item)
    {
        if (Count == Capacity)
        {
            Reserve(Count + 1);
        }

        _items[(nint)(uint)Count++] = item;
    }

    /// <summary>Makes room for <paramref name="capacity"/> items in all, at least doubling when it grows.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Reserve(int capacity)
    {
        if (capacity <= Capacity)
        {
            return;
        }

        var grown = (int)Math.Min(Array.MaxLength, Math.Max(capacity, 2L * Capacity));
        _items = (T*)NativeMemory.Realloc(_items, (nuint)grown * (nuint)sizeof(T));
        Capacity = grown;
    }

    /// <summary>Gives back what is not in use.</summary>
    public void TrimExcess()
    {
        var trimmed = Math.Max(Count, 1);
        _items = (T*)NativeMemory.Realloc(_items, (nuint)trimmed * (nuint)sizeof(T));
        Capacity = trimmed;
    }

    /// <summary>Items from <paramref name="start"/> on, also beyond <see cref="Count"/>.</summary>
    public Span<T> Slice(int start, int length)
    {
        Debug.Assert((ulong)(uint)start + (uint)length <= (uint)Capacity);
        return new Span<T>(_items + start, length);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Free();
        GC.SuppressFinalize(this);
    }

    private void Free()
    {
        NativeMemory.Free(_items);
        _items = null;
        Capacity = 0;
        Count = 0;
    }
}
