using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>What the archive that follows is of.</summary>
internal sealed class SnapshotReply : ApiReply
{
    [JsonPropertyName("config")] public StreamConfig? Config { get; init; }

    [JsonPropertyName("state")] public StreamState? State { get; init; }
}
