using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>A count for each kind of connection.</summary>
public sealed record CountByKind
{
    /// <summary>Client connections.</summary>
    [JsonPropertyName("clients")] public long Clients { get; init; }

    /// <summary>Routes.</summary>
    [JsonPropertyName("routes")] public long Routes { get; init; }

    /// <summary>Gateways: zero.</summary>
    [JsonPropertyName("gateways")] public long Gateways { get; init; }

    /// <summary>Leaf nodes.</summary>
    [JsonPropertyName("leafs")] public long LeafNodes { get; init; }
}
