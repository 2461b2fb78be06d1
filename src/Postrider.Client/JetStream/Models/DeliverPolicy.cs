using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>Where a consumer begins.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<DeliverPolicy>))]
public enum DeliverPolicy
{
    /// <summary>At the first message that there is.</summary>
    [JsonStringEnumMemberName("all")] All,

    /// <summary>At the last message.</summary>
    [JsonStringEnumMemberName("last")] Last,

    /// <summary>At what is published after its creation.</summary>
    [JsonStringEnumMemberName("new")] New,

    /// <summary>At <see cref="ConsumerConfig.StartSequence"/>.</summary>
    [JsonStringEnumMemberName("by_start_sequence")] ByStartSequence,

    /// <summary>At <see cref="ConsumerConfig.StartTime"/>.</summary>
    [JsonStringEnumMemberName("by_start_time")] ByStartTime,

    /// <summary>With the last message of every subject it filters for.</summary>
    [JsonStringEnumMemberName("last_per_subject")] LastPerSubject,
}
