using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A stream's configuration. Names, order and omissions are the API's.</summary>
/// <remarks>Immutable: an update replaces it. Source: nats-server, stream configuration.</remarks>
internal sealed record StreamConfig
{
    private const JsonIgnoreCondition Empty = JsonIgnoreCondition.WhenWritingDefault;

    [JsonPropertyName("name")] public string Name { get; set => field = value ?? ""; } = "";

    [JsonPropertyName("description"), JsonIgnore(Condition = Empty)] public string? Description { get; init => field = string.IsNullOrEmpty(value) ? null : value; }

    [JsonPropertyName("subjects"), JsonIgnore(Condition = Empty)] public IReadOnlyList<string>? Subjects { get; init; }

    [JsonPropertyName("retention")] public StreamRetention Retention { get; init; }

    [JsonPropertyName("max_consumers")] public long MaxConsumers { get; init; }

    [JsonPropertyName("max_msgs")] public long MaxMessages { get; init; }

    [JsonPropertyName("max_bytes")] public long MaxBytes { get; init; }

    [JsonPropertyName("max_age")] public Nanoseconds MaxAge { get; init; }

    [JsonPropertyName("max_msgs_per_subject")] public long MaxMessagesPerSubject { get; init; }

    [JsonPropertyName("max_msg_size"), JsonIgnore(Condition = Empty)] public int MaxMessageBytes { get; init; }

    [JsonPropertyName("discard")] public DiscardPolicy Discard { get; init; }

    [JsonPropertyName("storage")] public StreamStorage Storage { get; init; }

    [JsonPropertyName("num_replicas")] public long Replicas { get; init; }

    [JsonPropertyName("no_ack"), JsonIgnore(Condition = Empty)] public bool NoAck { get; init; }

    [JsonPropertyName("duplicate_window"), JsonIgnore(Condition = Empty)] public Nanoseconds DuplicateWindow { get; init; }

    [JsonPropertyName("placement"), JsonIgnore(Condition = Empty)] public Placement? Placement { get; init; }

    [JsonPropertyName("mirror"), JsonIgnore(Condition = Empty)] public StreamSource? Mirror { get; init; }

    [JsonPropertyName("sources"), JsonIgnore(Condition = Empty)] public IReadOnlyList<StreamSource>? Sources { get; init; }

    [JsonPropertyName("compression")] public StreamCompression Compression { get; init; }

    [JsonPropertyName("first_seq"), JsonIgnore(Condition = Empty)] public ulong FirstSequence { get; init; }

    [JsonPropertyName("subject_transform"), JsonIgnore(Condition = Empty)] public SubjectTransformConfig? SubjectTransform { get; init; }

    [JsonPropertyName("republish"), JsonIgnore(Condition = Empty)] public Republish? Republish { get; init; }

    [JsonPropertyName("allow_direct")] public bool AllowDirect { get; init; }

    [JsonPropertyName("mirror_direct")] public bool MirrorDirect { get; init; }

    [JsonPropertyName("discard_new_per_subject"), JsonIgnore(Condition = Empty)] public bool DiscardNewPerSubject { get; init; }

    [JsonPropertyName("sealed")] public bool Sealed { get; init; }

    [JsonPropertyName("deny_delete")] public bool DenyDelete { get; init; }

    [JsonPropertyName("deny_purge")] public bool DenyPurge { get; init; }

    [JsonPropertyName("allow_rollup_hdrs")] public bool AllowRollup { get; init; }

    [JsonPropertyName("consumer_limits")] public ConsumerLimits ConsumerLimits { get; set => field = value ?? new(); } = new();

    [JsonPropertyName("allow_msg_ttl")] public bool AllowMessageTtl { get; init; }

    [JsonPropertyName("subject_delete_marker_ttl"), JsonIgnore(Condition = Empty)] public Nanoseconds SubjectDeleteMarkerTtl { get; init; }

    [JsonPropertyName("allow_msg_counter"), JsonIgnore(Condition = Empty)] public bool AllowMessageCounter { get; init; }

    [JsonPropertyName("allow_atomic"), JsonIgnore(Condition = Empty)] public bool AllowAtomicPublish { get; init; }

    [JsonPropertyName("allow_msg_schedules"), JsonIgnore(Condition = Empty)] public bool AllowMessageSchedules { get; init; }

    [JsonPropertyName("persist_mode"), JsonIgnore(Condition = Empty)] public PersistMode PersistMode { get; init; }

    [JsonPropertyName("allow_batched"), JsonIgnore(Condition = Empty)] public bool AllowBatchPublish { get; init; }

    [JsonPropertyName("metadata"), JsonIgnore(Condition = Empty)] public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>Only in requests: values that would be corrected are errors instead.</summary>
    [JsonPropertyName("pedantic"), JsonIgnore(Condition = Empty)] public bool Pedantic { get; init; }

    /// <summary>The subjects; empty when the stream has none of its own.</summary>
    [JsonIgnore] public IReadOnlyList<string> SubjectList => Subjects ?? [];

    /// <summary>The sources; empty when there are none.</summary>
    [JsonIgnore] public IReadOnlyList<StreamSource> SourceList => Sources ?? [];

    /// <summary>Whether a message may replace those before it, by <c>Nats-Rollup</c> or as the end of its schedule.</summary>
    [JsonIgnore] public bool MayReplace => AllowRollup && !DenyPurge;

    /// <summary>Whether <see cref="MaxMessageBytes"/> allows a message with these headers and this payload.</summary>
    public bool Fits(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload) => MaxMessageBytes < 0 || headers.Length + (long)payload.Length <= MaxMessageBytes;
}
