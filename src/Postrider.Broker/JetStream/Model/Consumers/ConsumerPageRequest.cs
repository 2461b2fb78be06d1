using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A request for a page of a stream's consumers.</summary>
internal sealed record ConsumerPageRequest
{
    /// <summary>The index of the first entry.</summary>
    [JsonPropertyName("offset")] public long Offset { get; init; }
}
