using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>How requests of a priority group are prioritized.</summary>
[JsonConverter(typeof(PriorityPolicyConverter))]
internal enum PriorityPolicy
{
    /// <summary>They are not prioritized.</summary>
    [JsonStringEnumMemberName("none")] None,

    /// <summary>A request is served only while enough messages or deliveries are pending.</summary>
    [JsonStringEnumMemberName("overflow")] Overflow,

    /// <summary>One client receives all messages.</summary>
    [JsonStringEnumMemberName("pinned_client")] PinnedClient,

    /// <summary>The lowest priority number first.</summary>
    [JsonStringEnumMemberName("prioritized")] Prioritized,
}
