namespace Postrider.Flow.Sources;

/// <summary>The origin of items, as a struct, so that claiming is compiled into the pump's loop. Thread-safe.</summary>
/// <typeparam name="TItem">The items.</typeparam>
internal interface ISource<TItem>
{
    /// <summary>The number of items, if it is known.</summary>
    long? Total { get; }

    /// <summary>The number of items returned so far.</summary>
    long Taken { get; }

    /// <summary>Whether no further item will follow. Never changes back to false.</summary>
    bool IsDone { get; }

    /// <summary>True if <see cref="Claim"/> puts items into the chunk; a claim of more than one then needs its array.</summary>
    static abstract bool FillsChunks { get; }

    /// <summary>True if reading may wait; <see cref="Open"/> is then called.</summary>
    static abstract bool Waits { get; }

    /// <summary>True if <see cref="Claim"/> may block in the caller's code.</summary>
    bool MayBlock { get; }

    /// <summary>Called once before anything else.</summary>
    /// <param name="ct">Cancelled when no further item is wanted.</param>
    void Open(CancellationToken ct);

    /// <summary>True once after another pump arrived while one read the source: it needs another turn.</summary>
    bool TakeWanted();

    /// <summary>Returns items in the source's order.</summary>
    /// <param name="chunk">Empty; filled.</param>
    /// <param name="max">Items at most, from 1 to <see cref="ItemChunk{TItem}.MaxItems"/>.</param>
    /// <param name="horizon">No item with this index or a higher one.</param>
    ClaimResult Claim(ref ItemChunk<TItem> chunk, int max, long horizon);

    /// <summary>An item of a chunk.</summary>
    TItem Item(in ItemChunk<TItem> chunk, long index);

    /// <summary>True if a claim has blocked since the last call and items that it has read wait for it. One caller at a time.</summary>
    bool HoldsBack();

    /// <summary>Takes the items that wait for a claim that blocks.</summary>
    /// <param name="chunk">The items, in a separate array.</param>
    /// <returns>False if the claim has ended: it returns them itself.</returns>
    bool TryTakeHeld(out ItemChunk<TItem> chunk);

    /// <summary>Arms the continuation of a pending read. Once per <see cref="ClaimResult.Reading"/>.</summary>
    void ArmRead(Action continuation);

    /// <summary>Takes the result of the read, when its continuation runs.</summary>
    ClaimResult EndRead(ref ItemChunk<TItem> chunk);

    /// <summary>Releases the source; it is not read any more.</summary>
    ValueTask CloseAsync();
}
