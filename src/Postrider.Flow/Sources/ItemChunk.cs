namespace Postrider.Flow.Sources;

/// <summary>Items that a pump has claimed and not yet started. Lives on its stack.</summary>
/// <typeparam name="TItem">The source's items.</typeparam>
internal struct ItemChunk<TItem>
{
    // 64: above this, claiming takes less than 0.1 ns per item; below it, fewer items wait for a slow body (bench/RESULTS.md).
    public const int MaxItems = 64;

    /// <summary>Index of the next item to start.</summary>
    public long Next;

    /// <summary>Index after the last claimed item.</summary>
    public long End;

    /// <summary>Where the source stores items that cannot be read by index; the pump provides it before it claims more than one.
    /// Item <c>i</c> is <c>Items[i - First]</c>.</summary>
    public TItem[]? Items;

    /// <summary>The item if there is no array.</summary>
    public TItem One;

    /// <summary>Index of <c>Items[0]</c> or <see cref="One"/>.</summary>
    public long First;

    public readonly bool IsEmpty => Next >= End;

    /// <summary>Item <paramref name="index"/> of a chunk that contains its items.</summary>
    public readonly TItem this[long index] => Items is null ? One : Items[index - First];

    /// <summary>Adds an item to an empty chunk, or after its <paramref name="count"/> items.</summary>
    public void Put(int count, TItem item)
    {
        if (Items is null)
            One = item;
        else
            Items[count] = item;
    }
}
