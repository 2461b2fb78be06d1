using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The settings of JetStream.</summary>
public sealed record JetStreamSettings
{
    /// <summary>Maximum number of bytes of memory streams.</summary>
    [JsonPropertyName("max_memory")] public required long MaxMemoryBytes { get; init; }

    /// <summary>Maximum number of bytes of file streams.</summary>
    [JsonPropertyName("max_storage")] public required long MaxStoreBytes { get; init; }

    /// <summary>Folder of the streams.</summary>
    [JsonPropertyName("store_dir")] public required string StoreDirectory { get; init; }

    /// <summary>Nanoseconds between flushes to the disk.</summary>
    [JsonPropertyName("sync_interval")] public required long SyncIntervalNanoseconds { get; init; }

    /// <summary>Whether each publish is flushed to the disk; absent when not.</summary>
    [JsonPropertyName("sync_always"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool SyncAlways { get; init; }

    /// <summary>The domain; absent without one.</summary>
    [JsonPropertyName("domain"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Domain { get; init; }

    /// <summary>Whether requests with unknown members are rejected; absent if not.</summary>
    [JsonPropertyName("strict"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool Strict { get; init; }
}
