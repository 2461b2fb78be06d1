namespace Postrider.Broker.JetStream.Streams;

/// <summary>Limits the memory of all running restores together: parts of entries, and documents that wait.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class RestoreMemory
{
    /// <summary>Maximum bytes of all restores: three times the largest entry.</summary>
    public const long MaxBytes = 256 * 1024 * 1024;

    private long _bytes;

    /// <summary>Bytes that are held.</summary>
    public long HeldBytes => Interlocked.Read(ref _bytes);

    /// <summary>Adds bytes, or subtracts them.</summary>
    /// <param name="difference">Bytes; negative ones always succeed.</param>
    /// <returns>False when the limit would be exceeded; nothing is counted then.</returns>
    public bool TryChange(long difference)
    {
        if (Interlocked.Add(ref _bytes, difference) <= MaxBytes || difference <= 0) return true;
        Interlocked.Add(ref _bytes, -difference);
        return false;
    }
}
