namespace Postrider.Storage;

/// <summary>The budget that all file stores of a broker share for the indexes of full blocks: above it, indexes are
/// released, least recently used first, and read again when they are needed.</summary>
/// <param name="limitBytes">The budget.</param>
/// <remarks>Each store releases its own indexes, the next time it is used, so that no store needs another one's lock.
/// Thread-safe.</remarks>
internal sealed class IndexCacheBudget(long limitBytes)
{
    private long _used;

    /// <summary>The budget in bytes.</summary>
    public long LimitBytes { get; } = limitBytes;

    /// <summary>Bytes in use.</summary>
    public long UsedBytes => Interlocked.Read(ref _used);

    /// <summary>Whether the budget is exceeded.</summary>
    public bool IsOver => UsedBytes > LimitBytes;

    /// <summary>Adds bytes, or subtracts them when negative.</summary>
    public void Add(long bytes) => Interlocked.Add(ref _used, bytes);
}
