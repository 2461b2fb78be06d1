using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The page <c>/leafz</c>. Names and their order are nats-server's.</summary>
public sealed record LeafzPage
{
    /// <summary>The broker's id.</summary>
    [JsonPropertyName("server_id")] public required string ServerId { get; init; }

    /// <summary>When this was read.</summary>
    [JsonPropertyName("now")] public required DateTime Now { get; init; }

    /// <summary>The number of connections.</summary>
    [JsonPropertyName("leafnodes")] public required int Count { get; init; }

    /// <summary>The connections.</summary>
    [JsonPropertyName("leafs")] public required IReadOnlyList<LeafzConnection> Connections { get; init; }
}
