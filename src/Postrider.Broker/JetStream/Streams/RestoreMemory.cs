namespace Postrider.Broker.JetStream.Streams;

/// <summary>The memory that all restores under way may hold together: parts of entries, and documents that wait.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class RestoreMemory
{
    /// <summary>Bytes of all restores: the largest entry three times over.</summary>
    public const long MaxBytes = 256 * 1024 * 1024;

    private long _bytes;

    /// <summary>Bytes that are held.</summary>
    public long HeldBytes => Interlocked.Read(ref _bytes);

    /// <summary>Counts more or fewer bytes.</summary>
    /// <param name="difference">Bytes; negative ones always fit.</param>
    /// <returns>False when there would be too many; nothing is counted then.</returns>
    public bool TryChange(long difference)
    {
        if (Interlocked.Add(ref _bytes, difference) <= MaxBytes || difference <= 0) return true;
        Interlocked.Add(ref _bytes, -difference);
        return false;
    }
}
