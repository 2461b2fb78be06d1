using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Advisories;

/// <summary>An atomic batch was abandoned.</summary>
internal sealed record BatchAbandonedAdvisory : Advisory
{
    [JsonPropertyName("stream")] public string Stream { get; init; } = "";

    [JsonPropertyName("domain"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public string? Domain { get; init; }

    [JsonPropertyName("batch")] public string Batch { get; init; } = "";

    [JsonPropertyName("reason")] public string Reason { get; init; } = "";
}
