using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A transform of the subjects that match a pattern.</summary>
internal sealed record SubjectTransformConfig
{
    [JsonPropertyName("src")] public string Source { get; set => field = value ?? ""; } = "";

    [JsonPropertyName("dest")] public string Destination { get; set => field = value ?? ""; } = "";
}
