using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A stream as its folder keeps it.</summary>
internal sealed class StreamMetadata
{
    [JsonPropertyName("created")] public DateTimeOffset Created { get; init; }

    [JsonPropertyName("config")] public StreamConfig Config { get; set; } = new();
}
