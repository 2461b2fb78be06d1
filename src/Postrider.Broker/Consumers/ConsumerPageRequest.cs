using System.Text.Json.Serialization;

namespace Postrider.Broker.Consumers;

/// <summary>Asks for a page of a stream's consumers.</summary>
internal sealed record ConsumerPageRequest
{
    /// <summary>The first entry.</summary>
    [JsonPropertyName("offset")] public int Offset { get; init; }
}
