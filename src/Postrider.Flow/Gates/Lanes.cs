namespace Postrider.Flow.Gates;

/// <summary>Items of one run that wait for the item of the same key before them. Thread-safe.</summary>
/// <typeparam name="TItem">The source's items.</typeparam>
internal abstract class Lanes<TItem>
{
    private int _waiting;

    /// <summary>Items that wait.</summary>
    public int Waiting => Volatile.Read(ref _waiting);

    /// <summary>An item asks to run.</summary>
    /// <returns>False when one of its key runs: it is kept and comes out of <see cref="TryNext"/>.</returns>
    public abstract bool TryEnter(TItem item, long index);

    /// <summary>An item has ended.</summary>
    /// <returns>True when another of its key waits; it enters in its place.</returns>
    public abstract bool TryNext(TItem ended, out TItem next, out long index);

    protected void Count(int items) => Interlocked.Add(ref _waiting, items);
}
