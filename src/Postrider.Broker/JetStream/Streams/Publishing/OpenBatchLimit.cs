namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>Counts the batches that are open in all streams, and the memory that they hold.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class OpenBatchLimit
{
    private int _count;
    private long _bytes;

    /// <summary>How many are open.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>What they hold.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    /// <summary>Opens one more unless there are too many.</summary>
    public bool TryOpen(int max)
    {
        if (Interlocked.Increment(ref _count) <= max) return true;
        Interlocked.Decrement(ref _count);
        return false;
    }

    /// <summary>Takes memory for one unless that would be too much.</summary>
    public bool TryTake(long bytes, long max)
    {
        if (Interlocked.Add(ref _bytes, bytes) <= max) return true;
        Interlocked.Add(ref _bytes, -bytes);
        return false;
    }

    /// <summary>Closes one.</summary>
    /// <param name="bytes">What it held.</param>
    public void Close(long bytes)
    {
        Interlocked.Decrement(ref _count);
        Interlocked.Add(ref _bytes, -bytes);
    }
}
