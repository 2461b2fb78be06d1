using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>How pull requests of a priority group are preferred.</summary>
[JsonConverter(typeof(PriorityPolicyConverter))]
internal enum PriorityPolicy
{
    /// <summary>They are not.</summary>
    [JsonStringEnumMemberName("none")] None,

    /// <summary>A request is served only when enough waits.</summary>
    [JsonStringEnumMemberName("overflow")] Overflow,

    /// <summary>One client gets everything.</summary>
    [JsonStringEnumMemberName("pinned_client")] PinnedClient,

    /// <summary>The lowest number first.</summary>
    [JsonStringEnumMemberName("prioritized")] Prioritized,
}
