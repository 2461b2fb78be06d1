using System.Text.Json.Serialization;

namespace Postrider.Broker.Streams;

/// <summary>A counter's message.</summary>
internal sealed class CounterValue
{
    [JsonPropertyName("val")] public string? Value { get; init; }
}
