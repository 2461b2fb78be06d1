namespace Postrider.Storage;

/// <summary>The budget that all file stores of a broker share for the indexes of blocks that are full: what is above it is
/// given back, oldest use first, and read again when it is needed.</summary>
/// <param name="limitBytes">The budget.</param>
/// <remarks>Each store gives back its own indexes, when it is used next, so that no store needs another one's lock.
/// Thread-safe.</remarks>
internal sealed class IndexCacheBudget(long limitBytes)
{
    private long _used;

    /// <summary>The budget in bytes.</summary>
    public long LimitBytes { get; } = limitBytes;

    /// <summary>Bytes in use.</summary>
    public long UsedBytes => Interlocked.Read(ref _used);

    /// <summary>Whether something must go.</summary>
    public bool IsOver => UsedBytes > LimitBytes;

    /// <summary>Counts bytes in (or out, when negative).</summary>
    public void Add(long bytes) => Interlocked.Add(ref _used, bytes);
}
