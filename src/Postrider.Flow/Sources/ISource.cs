namespace Postrider.Flow.Sources;

/// <summary>Where items come from, as a struct, so that claiming is compiled into the pump's loop. Thread-safe.</summary>
/// <typeparam name="TItem">The items.</typeparam>
internal interface ISource<TItem>
{
    /// <summary>Items there are, when that is known.</summary>
    long? Total { get; }

    /// <summary>Items handed out so far.</summary>
    long Taken { get; }

    /// <summary>No item will come any more. Never goes back to false.</summary>
    bool IsDone { get; }

    /// <summary>True when <see cref="Claim"/> puts items into the chunk; a claim of more than one then needs its array.</summary>
    static abstract bool FillsChunks { get; }

    /// <summary>True when reading may wait; <see cref="Open"/> is then called.</summary>
    static abstract bool Waits { get; }

    /// <summary>True when <see cref="Claim"/> may block in the caller's code.</summary>
    bool MayBlock { get; }

    /// <summary>Called once before anything else.</summary>
    /// <param name="ct">Cancelled when no further item is wanted.</param>
    void Open(CancellationToken ct);

    /// <summary>True once after another pump came while one read the source: it deserves another turn.</summary>
    bool TakeWanted();

    /// <summary>Hands out items in the source's order.</summary>
    /// <param name="chunk">Empty; filled.</param>
    /// <param name="max">Items at most, from 1 to <see cref="ItemChunk{TItem}.MaxItems"/>.</param>
    /// <param name="horizon">No item with this index or a higher one.</param>
    ClaimResult Claim(ref ItemChunk<TItem> chunk, int max, long horizon);

    /// <summary>An item of a chunk.</summary>
    TItem Item(in ItemChunk<TItem> chunk, long index);

    /// <summary>True when a claim has blocked since the last call and items it has read wait behind it. One caller at a time.</summary>
    bool HoldsBack();

    /// <summary>Takes the items that wait behind a claim that blocks.</summary>
    /// <param name="chunk">The items, in an array of their own.</param>
    /// <returns>False when the claim has ended: they are its own again.</returns>
    bool TryTakeHeld(out ItemChunk<TItem> chunk);

    /// <summary>Arms the continuation of a read that has begun. Once per <see cref="ClaimResult.Reading"/>.</summary>
    void ArmRead(Action continuation);

    /// <summary>Takes what the read gave, when its continuation runs.</summary>
    ClaimResult EndRead(ref ItemChunk<TItem> chunk);

    /// <summary>Releases the source; it is not read any more.</summary>
    ValueTask CloseAsync();
}
