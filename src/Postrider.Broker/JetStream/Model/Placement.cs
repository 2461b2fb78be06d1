using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The requested placement of a stream in a cluster: stored and shown, without effect on a single server.</summary>
internal sealed record Placement
{
    [JsonPropertyName("cluster"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public string? Cluster { get; init; }

    [JsonPropertyName("tags"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public IReadOnlyList<string>? Tags { get; init; }

    [JsonPropertyName("preferred"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public string? Preferred { get; init; }
}
