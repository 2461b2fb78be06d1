using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The configuration of republishing stored messages on another subject.</summary>
internal sealed record Republish
{
    [JsonPropertyName("src"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public string? Source { get; init; }

    [JsonPropertyName("dest")] public string Destination { get; set => field = value ?? ""; } = "";

    [JsonPropertyName("headers_only"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool HeadersOnly { get; init; }
}
