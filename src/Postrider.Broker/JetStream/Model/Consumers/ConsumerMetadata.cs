using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A consumer as its folder keeps it.</summary>
internal sealed record ConsumerMetadata
{
    /// <summary>When it was made.</summary>
    [JsonPropertyName("created")] public DateTimeOffset Created { get; init; }

    /// <summary>What it does.</summary>
    [JsonPropertyName("config")] public ConsumerConfig Config { get; init; } = new();
}
