namespace Postrider.Flow.Gates;

/// <summary>Items of one run that wait for the item of the same key before them. Thread-safe.</summary>
/// <remarks>Pumps claim items in the source's order and bring them here in any: an item that comes before one with a lower
/// index waits for that one, whatever their keys are, so that lanes are entered in the source's order.</remarks>
/// <typeparam name="TItem">The source's items.</typeparam>
internal abstract class Lanes<TItem>
{
    private int _waiting;

    /// <summary>Items that wait.</summary>
    public int Waiting => Volatile.Read(ref _waiting);

    /// <summary>An item asks to run. Every index of the run must be brought, from 0.</summary>
    /// <returns>False when it is kept: it comes out of <see cref="TryNext"/> or <see cref="TryTakeFreed"/>.</returns>
    public abstract bool TryEnter(TItem item, long index);

    /// <summary>An item has ended.</summary>
    /// <returns>True when another of its key waits; it enters in its place.</returns>
    public abstract bool TryNext(TItem ended, out TItem next, out long index);

    /// <summary>After <see cref="TryEnter"/>, though it threw: an item that came too early and may run now. It has entered, and
    /// enters at once when it is brought again.</summary>
    public abstract bool TryTakeFreed(out TItem item, out long index);

    protected void Count(int items) => Interlocked.Add(ref _waiting, items);
}
