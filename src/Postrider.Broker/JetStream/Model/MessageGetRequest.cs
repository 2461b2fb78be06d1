using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A request to read one or more messages.</summary>
internal sealed class MessageGetRequest
{
    [JsonPropertyName("seq")] public ulong Sequence { get; init; }

    [JsonPropertyName("last_by_subj")] public string? LastBySubject { get; init; }

    [JsonPropertyName("next_by_subj")] public string? NextBySubject { get; init; }

    [JsonPropertyName("batch")] public long Batch { get; init; }

    [JsonPropertyName("max_bytes")] public long MaxBytes { get; init; }

    [JsonPropertyName("start_time")] public Moment? StartTime { get; init; }

    [JsonPropertyName("multi_last")] public IReadOnlyList<string>? MultiLast { get; init; }

    [JsonPropertyName("up_to_seq")] public ulong UpToSequence { get; init; }

    [JsonPropertyName("up_to_time")] public Moment? UpToTime { get; init; }

    [JsonPropertyName("no_hdr")] public bool NoHeaders { get; init; }
}
