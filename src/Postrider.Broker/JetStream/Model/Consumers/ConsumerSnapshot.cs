using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A consumer in an archive.</summary>
internal sealed record ConsumerSnapshot
{
    [JsonPropertyName("config")] public ConsumerConfig? Config { get; init; }

    [JsonPropertyName("state")] public ConsumerSnapshotState? State { get; init; }
}
