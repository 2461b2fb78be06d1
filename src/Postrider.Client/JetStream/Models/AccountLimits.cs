namespace Postrider.Client.JetStream.Models;

/// <summary>JetStream limits of an account; -1 means unlimited.</summary>
public sealed record AccountLimits
{
    /// <summary>Bytes in memory.</summary>
    public long MaxMemory { get; init; }

    /// <summary>Bytes in files.</summary>
    public long MaxStorage { get; init; }

    /// <summary>Streams.</summary>
    public int MaxStreams { get; init; }

    /// <summary>Consumers.</summary>
    public int MaxConsumers { get; init; }

    /// <summary>Maximum number of unacknowledged messages per consumer.</summary>
    public int MaxAckPending { get; init; }

    /// <summary>Maximum size of one stream in memory, in bytes.</summary>
    public long MemoryMaxStreamBytes { get; init; }

    /// <summary>Maximum size of one stream in files, in bytes.</summary>
    public long StorageMaxStreamBytes { get; init; }

    /// <summary>Whether every stream must have a byte limit.</summary>
    public bool MaxBytesRequired { get; init; }
}
