using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The durable consumer through which a stream is sourced.</summary>
internal sealed record SourceConsumer
{
    [JsonPropertyName("name"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public string? Name { get; init; }

    [JsonPropertyName("deliver_subject"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public string? DeliverSubject { get; init; }
}
