using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>The state of a priority group.</summary>
public sealed record PriorityGroupState
{
    /// <summary>The group.</summary>
    public string Group { get; init; } = "";

    /// <summary>The pin's id, or null.</summary>
    public string? PinnedClientId { get; init; }

    /// <summary>When it was pinned.</summary>
    [JsonPropertyName("pinned_ts")] public DateTimeOffset? PinnedTime { get; init; }
}
