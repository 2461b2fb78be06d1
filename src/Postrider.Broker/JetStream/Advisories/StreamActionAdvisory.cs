using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Advisories;

/// <summary>A stream was created, changed or deleted.</summary>
internal sealed record StreamActionAdvisory : Advisory
{
    [JsonPropertyName("stream")] public string Stream { get; init; } = "";

    [JsonPropertyName("action")] public string Action { get; init; } = "";

    [JsonPropertyName("domain"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public string? Domain { get; init; }
}
