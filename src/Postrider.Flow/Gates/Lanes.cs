namespace Postrider.Flow.Gates;

/// <summary>Items of one run that wait for the previous item with the same key. Thread-safe.</summary>
/// <remarks>Pumps claim items in the source's order but may enter them in any order: an item that arrives before one with a lower
/// index waits for that one, whatever their keys are, so that lanes are entered in the source's order.</remarks>
/// <typeparam name="TItem">The source's items.</typeparam>
internal abstract class Lanes<TItem>
{
    private int _waiting;

    /// <summary>The number of waiting items.</summary>
    public int Waiting => Volatile.Read(ref _waiting);

    /// <summary>Requests to run an item. Every index of the run must be passed, starting with 0.</summary>
    /// <returns>False if the item has to wait: it is returned later by <see cref="TryNext"/> or <see cref="TryTakeFreed"/>.</returns>
    public abstract bool TryEnter(TItem item, long index);

    /// <summary>Records the end of an item.</summary>
    /// <returns>True if another item of its key waits; it takes its place.</returns>
    public abstract bool TryNext(TItem ended, out TItem next, out long index);

    /// <summary>Call after <see cref="TryEnter"/>, even if it threw: returns an item that arrived too early and may run now. It has entered, and
    /// enters immediately when it is passed again.</summary>
    public abstract bool TryTakeFreed(out TItem item, out long index);

    protected void Count(int items) => Interlocked.Add(ref _waiting, items);
}
