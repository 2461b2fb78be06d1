using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A priority group and its pinned client.</summary>
internal sealed record PriorityGroupState
{
    /// <summary>The group.</summary>
    [JsonPropertyName("group")] public required string Group { get; init; }

    /// <summary>The pinned client's id.</summary>
    [JsonPropertyName("pinned_client_id"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? PinnedClientId { get; init; }

    /// <summary>When it was pinned; the year 1 when there is no pin.</summary>
    [JsonPropertyName("pinned_ts")] public DateTimeOffset PinnedSince { get; init; }
}
