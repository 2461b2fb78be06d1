using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A consumer in an archive.</summary>
internal sealed record ConsumerDocument
{
    [JsonPropertyName("config")] public ConsumerConfig? Config { get; init; }

    [JsonPropertyName("state")] public ConsumerStateDocument? State { get; init; }
}
