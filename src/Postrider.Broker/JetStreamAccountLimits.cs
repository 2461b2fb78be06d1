namespace Postrider.Broker;

/// <summary>The limits of an account's streams; -1 for no limit.</summary>
/// <remarks>Not thread-safe; must not be changed after the broker's start.</remarks>
public sealed record JetStreamAccountLimits
{
    /// <summary>Maximum number of bytes that its memory streams store or reserve; publishes above it are rejected.</summary>
    public long MaxMemoryBytes { get; set; } = -1;

    /// <summary>Maximum number of bytes that its file streams store or reserve; publishes above it are rejected.</summary>
    public long MaxStoreBytes { get; set; } = -1;

    /// <summary>Maximum number of streams.</summary>
    public int MaxStreams { get; set; } = -1;

    /// <summary>Maximum number of consumers of one stream.</summary>
    public int MaxConsumers { get; set; } = -1;

    /// <summary>Maximum number of unacknowledged messages of a consumer, and the default of consumers that do not set it.</summary>
    public int MaxAckPending { get; set; } = -1;

    /// <summary>Maximum size of one memory stream in bytes.</summary>
    public long MaxMemoryStreamBytes { get; set; } = -1;

    /// <summary>Maximum size of one file stream in bytes.</summary>
    public long MaxFileStreamBytes { get; set; } = -1;

    /// <summary>Whether streams must set a maximum size.</summary>
    public bool MaxBytesRequired { get; set; }

    /// <summary>The tier of the account's token that the limits apply to; null when they apply to all streams.</summary>
    internal string? Tier { get; init; }
}
