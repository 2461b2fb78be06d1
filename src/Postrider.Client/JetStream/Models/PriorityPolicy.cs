using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>How the pulls of a priority group are served.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<PriorityPolicy>))]
public enum PriorityPolicy
{
    /// <summary>There are no groups.</summary>
    [JsonStringEnumMemberName("none")] None,

    /// <summary>A pull is served only when enough waits for the consumer.</summary>
    [JsonStringEnumMemberName("overflow")] Overflow,

    /// <summary>One client gets everything until it stops pulling.</summary>
    [JsonStringEnumMemberName("pinned_client")] PinnedClient,

    /// <summary>Pulls of a lower number first.</summary>
    [JsonStringEnumMemberName("prioritized")] Prioritized,
}
