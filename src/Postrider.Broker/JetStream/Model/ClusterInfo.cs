using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The leader of a stream: with a single server, that server.</summary>
internal sealed record ClusterInfo
{
    [JsonPropertyName("leader")] public required string Leader { get; init; }
}
