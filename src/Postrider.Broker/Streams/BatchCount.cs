namespace Postrider.Broker.Streams;

/// <summary>Counts what may be open only so often.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class BatchCount
{
    private int _count;

    /// <summary>How many are open.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Opens one more unless there are too many.</summary>
    public bool TryOpen(int most)
    {
        if (Interlocked.Increment(ref _count) <= most) return true;
        Interlocked.Decrement(ref _count);
        return false;
    }

    /// <summary>Closes one.</summary>
    public void Close() => Interlocked.Decrement(ref _count);
}
