using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A consumer as stored in its folder.</summary>
internal sealed record ConsumerMetadata
{
    /// <summary>When it was created.</summary>
    [JsonPropertyName("created")] public DateTimeOffset Created { get; init; }

    /// <summary>The configuration.</summary>
    [JsonPropertyName("config")] public ConsumerConfig Config { get; init; } = new();
}
