using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The subjects that do not cross a leaf node connection, in <c>/varz</c>.</summary>
public sealed record LeafDenyVarz
{
    /// <summary>Subjects that are not sent.</summary>
    [JsonPropertyName("exports"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public IReadOnlyList<string>? Exports { get; init; }

    /// <summary>Subjects that are not received.</summary>
    [JsonPropertyName("imports"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public IReadOnlyList<string>? Imports { get; init; }
}
