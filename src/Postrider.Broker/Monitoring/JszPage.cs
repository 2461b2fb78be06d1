using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The page <c>/jsz</c>: the resources that the broker's streams use.</summary>
/// <remarks>Member names are nats-server's.</remarks>
public sealed record JszPage
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

    /// <summary>The broker's public key.</summary>
    [JsonPropertyName("server_id")] public required string ServerId { get; init; }

    /// <summary>When this was read.</summary>
    [JsonPropertyName("now")] public required DateTime Now { get; init; }

    /// <summary>Whether JetStream is disabled; absent if it is enabled.</summary>
    [JsonPropertyName("disabled"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool Disabled { get; init; }

    /// <summary>The settings of JetStream.</summary>
    [JsonPropertyName("config")] public required JetStreamSettings Settings { get; init; }

    /// <summary>The limits of this server.</summary>
    [JsonPropertyName("limits"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public JetStreamLimits? Limits { get; init; }

    /// <summary>Streams.</summary>
    [JsonPropertyName("streams")] public required int Streams { get; init; }

    /// <summary>Streams that this server leads; only if requested.</summary>
    [JsonPropertyName("streams_leader"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int StreamsLeader { get; init; }

    /// <summary>Consumers of all streams.</summary>
    [JsonPropertyName("consumers")] public required int Consumers { get; init; }

    /// <summary>Consumers that this server leads; only if requested.</summary>
    [JsonPropertyName("consumers_leader"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int ConsumersLeader { get; init; }

    /// <summary>Messages in all streams.</summary>
    [JsonPropertyName("messages")] public required long Messages { get; init; }

    /// <summary>Their size in bytes.</summary>
    [JsonPropertyName("bytes")] public required long Bytes { get; init; }

    /// <summary>Streams that are read-only because of a disk error; absent when there is none.</summary>
    [JsonPropertyName("streams_read_only"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int ReadOnlyStreams { get; init; }

    /// <summary>Streams and consumers whose files cannot be read; absent when there is none.</summary>
    [JsonPropertyName("not_recovered"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int NotRecovered { get; init; }

    /// <summary>The progress of the recovery, or the streams that could not be read; absent if there is nothing to report.</summary>
    [JsonPropertyName("recovery")] public string? Recovery { get; init; }

    /// <summary>The accounts, with their streams and consumers if requested.</summary>
    [JsonPropertyName("account_details")] public JsonArray? AccountDetails { get; init; }

    /// <summary>Total number of accounts.</summary>
    [JsonPropertyName("total")] public required int Total { get; init; }
}
