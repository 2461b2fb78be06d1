using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>What a stream takes, keeps and gives.</summary>
/// <remarks>Limits of -1 and durations of 0 are no limits. Every field of nats-server 2.15 is here; what a newer server
/// adds is kept when a configuration is read, changed and sent back. Source: NATS ADR-4, JetStream API.</remarks>
public sealed record StreamConfig
{
    /// <summary>The name: no blanks, dots, wildcards or slashes.</summary>
    public required string Name { get; set; }

    /// <summary>What it is for.</summary>
    public string? Description { get; set; }

    /// <summary>The subjects it listens to; null for its name, or for a mirror.</summary>
    public IReadOnlyList<string>? Subjects { get; set; }

    /// <summary>When it lets go of messages.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public StreamRetention Retention { get; set; }

    /// <summary>Where it keeps them.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public StreamStorage Storage { get; set; }

    /// <summary>On how many servers of a cluster it lives, 1 to 5.</summary>
    [JsonPropertyName("num_replicas")] public int Replicas { get; set; } = 1;

    /// <summary>The most consumers.</summary>
    public int MaxConsumers { get; set; } = -1;

    /// <summary>The most messages.</summary>
    [JsonPropertyName("max_msgs")] public long MaxMessages { get; set; } = -1;

    /// <summary>The most bytes, with what the store adds.</summary>
    public long MaxBytes { get; set; } = -1;

    /// <summary>How long a message is kept.</summary>
    public TimeSpan MaxAge { get; set; }

    /// <summary>The most messages of one subject.</summary>
    [JsonPropertyName("max_msgs_per_subject")] public long MaxMessagesPerSubject { get; set; } = -1;

    /// <summary>The largest message, in bytes of headers and payload.</summary>
    [JsonPropertyName("max_msg_size")] public int MaxMessageBytes { get; set; } = -1;

    /// <summary>What it does when it is full.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public DiscardPolicy Discard { get; set; }

    /// <summary>Whether <see cref="DiscardPolicy.New"/> also holds for <see cref="MaxMessagesPerSubject"/>.</summary>
    public bool DiscardNewPerSubject { get; set; }

    /// <summary>Whether publishes are not acknowledged.</summary>
    public bool NoAck { get; set; }

    /// <summary>How long message ids are remembered; 0 takes the server's two minutes.</summary>
    public TimeSpan DuplicateWindow { get; set; }

    /// <summary>Where in a cluster it is to live.</summary>
    public Placement? Placement { get; set; }

    /// <summary>The stream that this one copies, as its only source.</summary>
    public StreamSource? Mirror { get; set; }

    /// <summary>Streams that this one gathers.</summary>
    public IReadOnlyList<StreamSource>? Sources { get; set; }

    /// <summary>How its files are compressed.</summary>
    public StreamCompression Compression { get; set; }

    /// <summary>The sequence of the first message; 0 for 1.</summary>
    [JsonPropertyName("first_seq")] public ulong FirstSequence { get; set; }

    /// <summary>Changes subjects before they are stored.</summary>
    public SubjectTransform? SubjectTransform { get; set; }

    /// <summary>Publishes again what was stored.</summary>
    public Republish? Republish { get; set; }

    /// <summary>Whether messages may be got past the stream's leader: fast, from any replica.</summary>
    public bool AllowDirect { get; set; }

    /// <summary>Whether a mirror answers such gets for its origin.</summary>
    public bool MirrorDirect { get; set; }

    /// <summary>Whether nothing can be added or taken away any more. Only by an update.</summary>
    public bool Sealed { get; set; }

    /// <summary>Whether messages cannot be deleted.</summary>
    public bool DenyDelete { get; set; }

    /// <summary>Whether the stream cannot be purged.</summary>
    public bool DenyPurge { get; set; }

    /// <summary>Whether a publish may replace what was stored before.</summary>
    [JsonPropertyName("allow_rollup_hdrs")] public bool AllowRollup { get; set; }

    /// <summary>Limits of every consumer.</summary>
    public ConsumerLimits? ConsumerLimits { get; set; }

    /// <summary>Whether a message may have its own time to live.</summary>
    [JsonPropertyName("allow_msg_ttl")] public bool AllowMessageTimeToLive { get; set; }

    /// <summary>How long a marker stays where the last message of a subject ran out; 0 for no markers.</summary>
    [JsonPropertyName("subject_delete_marker_ttl")] public TimeSpan SubjectDeleteMarkerTimeToLive { get; set; }

    /// <summary>Whether messages are counters that publishes add to.</summary>
    [JsonPropertyName("allow_msg_counter")] public bool AllowMessageCounter { get; set; }

    /// <summary>Whether batches may be published all or none.</summary>
    [JsonPropertyName("allow_atomic")] public bool AllowAtomicPublish { get; set; }

    /// <summary>Whether messages may be published for later.</summary>
    [JsonPropertyName("allow_msg_schedules")] public bool AllowMessageSchedules { get; set; }

    /// <summary>Whether fast batches may be published.</summary>
    [JsonPropertyName("allow_batched")] public bool AllowBatchedPublish { get; set; }

    /// <summary>When a publish is acknowledged.</summary>
    public PersistMode PersistMode { get; set; }

    /// <summary>Names and values of the owner's own.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; set; }

    [JsonExtensionData, JsonInclude] internal Dictionary<string, JsonElement>? Unknown { get; set; }
}
