using System.Text.Json.Serialization;

namespace Postrider.Broker.Streams;

/// <summary>Which streams to list.</summary>
internal sealed class StreamNamesRequest
{
    [JsonPropertyName("offset")] public int Offset { get; init; }

    [JsonPropertyName("subject")] public string? Subject { get; init; }
}
