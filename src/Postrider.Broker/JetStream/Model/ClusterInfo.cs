using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Who leads a stream: with one server, that one.</summary>
internal sealed record ClusterInfo
{
    [JsonPropertyName("leader")] public required string Leader { get; init; }
}
