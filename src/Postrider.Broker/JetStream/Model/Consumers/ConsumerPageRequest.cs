using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>Asks for a page of a stream's consumers.</summary>
internal sealed record ConsumerPageRequest
{
    /// <summary>The first entry.</summary>
    [JsonPropertyName("offset")] public long Offset { get; init; }
}
