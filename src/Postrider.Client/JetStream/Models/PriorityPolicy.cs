using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>How the pull requests of a priority group are served.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<PriorityPolicy>))]
public enum PriorityPolicy
{
    /// <summary>There are no groups.</summary>
    [JsonStringEnumMemberName("none")] None,

    /// <summary>A pull request is served only when enough messages are pending.</summary>
    [JsonStringEnumMemberName("overflow")] Overflow,

    /// <summary>One client receives all messages until it stops pulling.</summary>
    [JsonStringEnumMemberName("pinned_client")] PinnedClient,

    /// <summary>Pull requests with a lower priority number are served first.</summary>
    [JsonStringEnumMemberName("prioritized")] Prioritized,
}
