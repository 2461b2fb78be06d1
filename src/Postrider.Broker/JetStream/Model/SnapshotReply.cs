using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The response to a snapshot request: the stream that the following archive contains.</summary>
internal sealed class SnapshotReply : ApiReply
{
    [JsonPropertyName("config")] public StreamConfig? Config { get; init; }

    [JsonPropertyName("state")] public StreamState? State { get; init; }
}
