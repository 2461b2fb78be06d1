namespace Postrider.Client.JetStream.Models;

/// <summary>What an account may use of JetStream; -1 is no limit.</summary>
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

    /// <summary>Messages that may wait for acknowledgements, per consumer.</summary>
    public int MaxAckPending { get; init; }

    /// <summary>Bytes of one stream in memory.</summary>
    public long MemoryMaxStreamBytes { get; init; }

    /// <summary>Bytes of one stream in files.</summary>
    public long StorageMaxStreamBytes { get; init; }

    /// <summary>Whether every stream must have a limit of bytes.</summary>
    public bool MaxBytesRequired { get; init; }
}
