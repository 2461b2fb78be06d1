using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A request for a list of streams.</summary>
internal sealed class StreamNamesRequest
{
    [JsonPropertyName("offset")] public long Offset { get; init; }

    [JsonPropertyName("subject")] public string? Subject { get; init; }
}
