using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The payload of a counter's message.</summary>
internal sealed class CounterValue
{
    [JsonPropertyName("val")] public string? Value { get; init; }
}
