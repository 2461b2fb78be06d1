using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A counter's message.</summary>
internal sealed class CounterValue
{
    [JsonPropertyName("val")] public string? Value { get; init; }
}
