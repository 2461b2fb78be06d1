using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The resources that all streams of a broker use.</summary>
public sealed record JetStreamStats
{
    /// <summary>Bytes in memory streams.</summary>
    [JsonPropertyName("memory")] public required long MemoryBytes { get; init; }

    /// <summary>Bytes in file streams.</summary>
    [JsonPropertyName("storage")] public required long StoreBytes { get; init; }

    /// <summary>Bytes reserved by the limits of memory streams.</summary>
    [JsonPropertyName("reserved_memory")] public required long ReservedMemoryBytes { get; init; }

    /// <summary>Bytes reserved by the limits of file streams.</summary>
    [JsonPropertyName("reserved_storage")] public required long ReservedStoreBytes { get; init; }

    /// <summary>Accounts with JetStream.</summary>
    [JsonPropertyName("accounts")] public required int Accounts { get; init; }

    /// <summary>Replicated streams and consumers: zero on one server.</summary>
    [JsonPropertyName("ha_assets")] public int ReplicatedAssets { get; init; }

    /// <summary>Statistics of the API.</summary>
    [JsonPropertyName("api")] public required JetStreamApiStats Api { get; init; }
}
