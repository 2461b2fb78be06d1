using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A stream as stored in its folder.</summary>
internal sealed class StreamMetadata
{
    [JsonPropertyName("created")] public DateTimeOffset Created { get; init; }

    [JsonPropertyName("config")] public StreamConfig Config { get; set; } = new();
}
