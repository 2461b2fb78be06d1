using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>One page of streams.</summary>
internal sealed class StreamListReply : PagedReply
{
    [JsonPropertyName("streams")] public IReadOnlyList<StreamInfo> Streams { get; init; } = [];

    [JsonPropertyName("offline"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public IReadOnlyDictionary<string, string>? Offline { get; init; }
}
