using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A stream's state as the API shows it.</summary>
internal sealed record StreamState
{
    private const JsonIgnoreCondition Empty = JsonIgnoreCondition.WhenWritingDefault;

    [JsonPropertyName("messages")] public long Messages { get; init; }

    [JsonPropertyName("bytes")] public long Bytes { get; init; }

    [JsonPropertyName("first_seq")] public ulong FirstSequence { get; init; }

    [JsonPropertyName("first_ts")] public string FirstTime { get; init; } = Rfc3339.Zero;

    [JsonPropertyName("last_seq")] public ulong LastSequence { get; init; }

    [JsonPropertyName("last_ts")] public string LastTime { get; init; } = Rfc3339.Zero;

    [JsonPropertyName("num_subjects"), JsonIgnore(Condition = Empty)] public int SubjectCount { get; init; }

    [JsonPropertyName("subjects"), JsonIgnore(Condition = Empty), JsonConverter(typeof(SubjectPageConverter))] public SubjectPage? Subjects { get; init; }

    [JsonPropertyName("num_deleted"), JsonIgnore(Condition = Empty)] public long DeletedCount { get; init; }

    [JsonPropertyName("deleted"), JsonIgnore(Condition = Empty)] public IReadOnlyList<ulong>? Deleted { get; init; }

    [JsonPropertyName("lost"), JsonIgnore(Condition = Empty)] public LostMessages? Lost { get; init; }

    [JsonPropertyName("consumer_count")] public int ConsumerCount { get; init; }
}
