using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>One page of names.</summary>
internal sealed class StreamNamesReply : PagedReply
{
    [JsonPropertyName("streams")] public IReadOnlyList<string>? Streams { get; init; }
}
