using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>The state of a stream.</summary>
public sealed record StreamState
{
    /// <summary>Messages.</summary>
    public ulong Messages { get; init; }

    /// <summary>The size in bytes, including the overhead of the store.</summary>
    public ulong Bytes { get; init; }

    /// <summary>The sequence of the first message; one after <see cref="LastSequence"/> in an empty stream.</summary>
    [JsonPropertyName("first_seq")] public ulong FirstSequence { get; init; }

    /// <summary>When the first message was stored.</summary>
    [JsonPropertyName("first_ts")] public DateTimeOffset FirstTime { get; init; }

    /// <summary>The last sequence that was assigned.</summary>
    [JsonPropertyName("last_seq")] public ulong LastSequence { get; init; }

    /// <summary>When the last message was stored.</summary>
    [JsonPropertyName("last_ts")] public DateTimeOffset LastTime { get; init; }

    /// <summary>Consumers.</summary>
    public int ConsumerCount { get; init; }

    /// <summary>Number of messages missing between the first and the last.</summary>
    [JsonPropertyName("num_deleted")] public int DeletedCount { get; init; }

    /// <summary>The sequences of deleted messages, if requested.</summary>
    public IReadOnlyList<ulong>? Deleted { get; init; }

    /// <summary>Subjects.</summary>
    [JsonPropertyName("num_subjects")] public int SubjectCount { get; init; }

    /// <summary>Number of messages by subject, if requested.</summary>
    public IReadOnlyDictionary<string, ulong>? Subjects { get; init; }

    /// <summary>Messages that were lost because of damage, or null.</summary>
    public LostMessages? Lost { get; init; }
}
