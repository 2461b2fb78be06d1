using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>An account's limits; -1 for no limit.</summary>
internal sealed record AccountLimits
{
    [JsonPropertyName("max_memory")] public long MaxMemoryBytes { get; init; } = -1;

    [JsonPropertyName("max_storage")] public long MaxStoreBytes { get; init; } = -1;

    [JsonPropertyName("max_streams")] public int MaxStreams { get; init; } = -1;

    [JsonPropertyName("max_consumers")] public int MaxConsumers { get; init; } = -1;

    [JsonPropertyName("max_ack_pending")] public int MaxAckPending { get; init; } = -1;

    [JsonPropertyName("memory_max_stream_bytes")] public long MaxMemoryStreamBytes { get; init; } = -1;

    [JsonPropertyName("storage_max_stream_bytes")] public long MaxFileStreamBytes { get; init; } = -1;

    [JsonPropertyName("max_bytes_required")] public bool MaxBytesRequired { get; init; }

    /// <summary>The tier that the limits apply to; null when they apply to all streams.</summary>
    [JsonIgnore] public string? Tier { get; init; }

    /// <summary>The limits of a host's options.</summary>
    public static AccountLimits Of(JetStreamAccountLimits options) => new()
    {
        MaxMemoryBytes = options.MaxMemoryBytes,
        MaxStoreBytes = options.MaxStoreBytes,
        MaxStreams = options.MaxStreams,
        MaxConsumers = options.MaxConsumers,
        MaxAckPending = options.MaxAckPending,
        MaxMemoryStreamBytes = options.MaxMemoryStreamBytes,
        MaxFileStreamBytes = options.MaxFileStreamBytes,
        MaxBytesRequired = options.MaxBytesRequired,
        Tier = options.Tier,
    };

    /// <summary>The limits that nats-server reports for an account with tiers: zeros.</summary>
    public static AccountLimits BesideTiers { get; } = new()
    {
        MaxMemoryBytes = 0, MaxStoreBytes = 0, MaxStreams = 0, MaxConsumers = 0, MaxAckPending = 0, MaxMemoryStreamBytes = 0, MaxFileStreamBytes = 0,
    };
}
