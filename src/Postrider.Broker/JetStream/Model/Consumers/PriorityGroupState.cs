using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A priority group and who is pinned in it.</summary>
internal sealed record PriorityGroupState
{
    /// <summary>The group.</summary>
    [JsonPropertyName("group")] public required string Group { get; init; }

    /// <summary>The pinned client's id.</summary>
    [JsonPropertyName("pinned_client_id"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? PinnedClientId { get; init; }

    /// <summary>Since when it is pinned; the year 1 for not at all.</summary>
    [JsonPropertyName("pinned_ts")] public DateTimeOffset PinnedSince { get; init; }
}
