using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>Where a consumer's deliveries begin.</summary>
[JsonConverter(typeof(DeliverPolicyConverter))]
internal enum DeliverPolicy
{
    /// <summary>At the first message.</summary>
    [JsonStringEnumMemberName("all")] All,

    /// <summary>At the last message.</summary>
    [JsonStringEnumMemberName("last")] Last,

    /// <summary>After the last message.</summary>
    [JsonStringEnumMemberName("new")] New,

    /// <summary>At a given sequence.</summary>
    [JsonStringEnumMemberName("by_start_sequence")] ByStartSequence,

    /// <summary>At a given time.</summary>
    [JsonStringEnumMemberName("by_start_time")] ByStartTime,

    /// <summary>With the last message of each subject.</summary>
    [JsonStringEnumMemberName("last_per_subject")] LastPerSubject,
}
