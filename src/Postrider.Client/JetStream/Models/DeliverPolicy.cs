using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>Where a consumer starts.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<DeliverPolicy>))]
public enum DeliverPolicy
{
    /// <summary>Starts at the first available message.</summary>
    [JsonStringEnumMemberName("all")] All,

    /// <summary>Starts at the last message.</summary>
    [JsonStringEnumMemberName("last")] Last,

    /// <summary>Starts with messages that are published after its creation.</summary>
    [JsonStringEnumMemberName("new")] New,

    /// <summary>Starts at <see cref="ConsumerConfig.StartSequence"/>.</summary>
    [JsonStringEnumMemberName("by_start_sequence")] ByStartSequence,

    /// <summary>Starts at <see cref="ConsumerConfig.StartTime"/>.</summary>
    [JsonStringEnumMemberName("by_start_time")] ByStartTime,

    /// <summary>Starts with the last message of each subject that matches the filters.</summary>
    [JsonStringEnumMemberName("last_per_subject")] LastPerSubject,
}
