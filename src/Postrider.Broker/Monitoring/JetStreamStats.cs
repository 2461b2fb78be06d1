using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>What all streams of a broker use.</summary>
public sealed record JetStreamStats
{
    /// <summary>Bytes in memory streams.</summary>
    [JsonPropertyName("memory")] public required long MemoryBytes { get; init; }

    /// <summary>Bytes in file streams.</summary>
    [JsonPropertyName("storage")] public required long StoreBytes { get; init; }

    /// <summary>Bytes that memory streams may come to hold by their limits.</summary>
    [JsonPropertyName("reserved_memory")] public required long ReservedMemoryBytes { get; init; }

    /// <summary>Bytes that file streams may come to hold by their limits.</summary>
    [JsonPropertyName("reserved_storage")] public required long ReservedStoreBytes { get; init; }

    /// <summary>Accounts that may have streams.</summary>
    [JsonPropertyName("accounts")] public required int Accounts { get; init; }

    /// <summary>Replicated streams and consumers: none on one server.</summary>
    [JsonPropertyName("ha_assets")] public int ReplicatedAssets { get; init; }

    /// <summary>Use of the API.</summary>
    [JsonPropertyName("api")] public required JetStreamApiStats Api { get; init; }
}
