namespace Postrider.Broker;

/// <summary>What an account's streams may use. A limit of -1 is none.</summary>
/// <remarks>Not thread-safe; must not be changed after the broker's start.</remarks>
public sealed record JetStreamAccountLimits
{
    /// <summary>Most bytes of its memory streams, together and reserved; above it publishes are refused.</summary>
    public long MaxMemoryBytes { get; set; } = -1;

    /// <summary>Most bytes of its file streams, together and reserved; above it publishes are refused.</summary>
    public long MaxStoreBytes { get; set; } = -1;

    /// <summary>Most streams.</summary>
    public int MaxStreams { get; set; } = -1;

    /// <summary>Most consumers of one stream.</summary>
    public int MaxConsumers { get; set; } = -1;

    /// <summary>Most unacknowledged messages a consumer may ask for, and what one gets that does not say.</summary>
    public int MaxAckPending { get; set; } = -1;

    /// <summary>Most bytes one memory stream may be made for.</summary>
    public long MaxMemoryStreamBytes { get; set; } = -1;

    /// <summary>Most bytes one file stream may be made for.</summary>
    public long MaxFileStreamBytes { get; set; } = -1;

    /// <summary>Whether a stream has to say how many bytes it is made for.</summary>
    public bool MaxBytesRequired { get; set; }
}
