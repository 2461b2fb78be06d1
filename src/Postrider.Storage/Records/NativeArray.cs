using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Postrider.Memory;

namespace Postrider.Storage.Records;

/// <summary>A growing array outside the managed heap: doubling a large one moves pages instead of copying them, and
/// millions of entries cost the garbage collector nothing.</summary>
/// <remarks>Not thread-safe. The owner disposes it; a finalizer frees the memory when it does not.</remarks>
internal sealed unsafe class NativeArray<T> : IDisposable
    where T : unmanaged
{
    // Below this, whole pages would waste more memory than the allocator does.
    private const nint MinPagesBytes = 128 * 1024;

    private T* _items;

    /// <summary>Creates an array with room for <paramref name="capacity"/> items.</summary>
    public NativeArray(int capacity, bool zeroed = false)
    {
        Capacity = Math.Max(capacity, 1);
        _items = Allocate(BytesOf(Capacity), zeroed);
    }

#pragma warning disable MA0055 // The memory is not the collector's: a store dropped without Dispose must not leak it.
    /// <summary>Frees the memory.</summary>
    ~NativeArray() => Free();
#pragma warning restore MA0055

    /// <summary>The number of items there is room for.</summary>
    public int Capacity { get; private set; }

    /// <summary>The number of items in use.</summary>
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
        Resize(grown);
    }

    /// <summary>Frees unused memory.</summary>
    public void TrimExcess()
    {
        Resize(Math.Max(Count, 1));
    }

    /// <summary>Items from <paramref name="start"/> on, also beyond <see cref="Count"/>.</summary>
    public Span<T> Slice(int start, int length)
    {
        Debug.Assert((ulong)(uint)start + (uint)length <= (uint)Capacity);
        return new Span<T>(_items + start, length);
    }

    /// <summary>Maps the pages of items that will be written soon; <see cref="NativePages.Populate"/> explains the benefit.</summary>
    /// <param name="start">The first item; the range ends with the array at the latest.</param>
    /// <param name="length">The number of items.</param>
    public void MapPages(int start, int length)
    {
        length = Math.Min(length, Capacity - start);
        if (length > 0)
        {
            NativePages.Populate((nint)(_items + start), BytesOf(length));
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Free();
        GC.SuppressFinalize(this);
    }

    private static nint BytesOf(int items) => (nint)items * sizeof(T);

    private static T* Allocate(nint bytes, bool zeroed) => (T*)(bytes >= MinPagesBytes
        ? (void*)NativePages.Allocate(bytes)
        : zeroed ? NativeMemory.AllocZeroed((nuint)bytes) : NativeMemory.Alloc((nuint)bytes));

    private static void Release(T* items, nint bytes)
    {
        if (bytes >= MinPagesBytes)
        {
            NativePages.Free((nint)items, bytes);
        }
        else
        {
            NativeMemory.Free(items);
        }
    }

    private void Resize(int capacity)
    {
        var now = BytesOf(Capacity);
        var then = BytesOf(capacity);
        if (now >= MinPagesBytes && then >= MinPagesBytes)
        {
            _items = (T*)NativePages.Resize((nint)_items, now, then);
        }
        else if (now < MinPagesBytes && then < MinPagesBytes)
        {
            _items = (T*)NativeMemory.Realloc(_items, (nuint)then);
        }
        else
        {
            var moved = Allocate(then, zeroed: false);
            NativeMemory.Copy(_items, moved, (nuint)Math.Min(now, then));
            Release(_items, now);
            _items = moved;
        }

        Capacity = capacity;
    }

    private void Free()
    {
        if (_items is not null)
        {
            Release(_items, BytesOf(Capacity));
        }

        _items = null;
        Capacity = 0;
        Count = 0;
    }
}
