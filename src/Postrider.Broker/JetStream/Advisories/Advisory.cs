using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Advisories;

/// <summary>The members that every advisory begins with.</summary>
internal record Advisory
{
    [JsonPropertyName("type"), JsonPropertyOrder(-20)] public string Type { get; init; } = "";

    [JsonPropertyName("id"), JsonPropertyOrder(-19)] public string Id { get; set; } = "";

    [JsonPropertyName("timestamp"), JsonPropertyOrder(-18)] public DateTimeOffset Timestamp { get; set; }
}
