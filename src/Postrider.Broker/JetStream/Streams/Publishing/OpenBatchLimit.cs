namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>Counts the batches that are open in all streams, and the memory that they hold.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class OpenBatchLimit
{
    private int _count;
    private long _bytes;

    /// <summary>The number of open batches.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The memory that they hold, in bytes.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    /// <summary>Counts another batch unless there are too many.</summary>
    public bool TryOpen(int max)
    {
        if (Interlocked.Increment(ref _count) <= max) return true;
        Interlocked.Decrement(ref _count);
        return false;
    }

    /// <summary>Reserves memory for a batch unless that would be too much.</summary>
    public bool TryTake(long bytes, long max)
    {
        if (Interlocked.Add(ref _bytes, bytes) <= max) return true;
        Interlocked.Add(ref _bytes, -bytes);
        return false;
    }

    /// <summary>Counts a batch that is closed.</summary>
    /// <param name="bytes">The memory that it held.</param>
    public void Close(long bytes)
    {
        Interlocked.Decrement(ref _count);
        Interlocked.Add(ref _bytes, -bytes);
    }
}
