using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>Content of the ports file: the URLs of every listener, for launchers that request random ports.</summary>
public sealed record PortsFile
{
    /// <summary>URLs for clients.</summary>
    [JsonPropertyName("nats")] public IReadOnlyList<string>? Nats { get; init; }

    /// <summary>URLs for clients over WebSockets.</summary>
    [JsonPropertyName("websocket")] public IReadOnlyList<string>? WebSocket { get; init; }

    /// <summary>URLs for leaf nodes.</summary>
    [JsonPropertyName("leafnodes")] public IReadOnlyList<string>? LeafNodes { get; init; }

    /// <summary>URLs for routes of other servers.</summary>
    [JsonPropertyName("cluster")] public IReadOnlyList<string>? Cluster { get; init; }

    /// <summary>URLs of the monitoring pages.</summary>
    [JsonPropertyName("monitoring")] public IReadOnlyList<string>? Monitoring { get; init; }
}
