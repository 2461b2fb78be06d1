using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>The configuration of a stream.</summary>
/// <remarks>Limits of -1 and durations of 0 mean unlimited. It has every field of nats-server 2.15; fields that a newer server
/// adds are kept when a configuration is read, changed and sent back. Source: JetStream API.</remarks>
public sealed record StreamConfig
{
    /// <summary>The name, without whitespace, dots, wildcards and slashes.</summary>
    public required string Name { get; set; }

    /// <summary>A description.</summary>
    public string? Description { get; set; }

    /// <summary>The subjects; null for the name of the stream, or for a mirror.</summary>
    public IReadOnlyList<string>? Subjects { get; set; }

    /// <summary>When messages are deleted.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public StreamRetention Retention { get; set; }

    /// <summary>The storage.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public StreamStorage Storage { get; set; }

    /// <summary>Number of replicas in a cluster, 1 to 5.</summary>
    [JsonPropertyName("num_replicas")] public int Replicas { get; set; } = 1;

    /// <summary>Maximum number of consumers.</summary>
    public int MaxConsumers { get; set; } = -1;

    /// <summary>Maximum number of messages.</summary>
    [JsonPropertyName("max_msgs")] public long MaxMessages { get; set; } = -1;

    /// <summary>Maximum size in bytes, including the overhead of the store.</summary>
    public long MaxBytes { get; set; } = -1;

    /// <summary>Maximum age of a message.</summary>
    public TimeSpan MaxAge { get; set; }

    /// <summary>Maximum number of messages per subject.</summary>
    [JsonPropertyName("max_msgs_per_subject")] public long MaxMessagesPerSubject { get; set; } = -1;

    /// <summary>Maximum size of a message, in bytes of headers and payload.</summary>
    [JsonPropertyName("max_msg_size")] public int MaxMessageBytes { get; set; } = -1;

    /// <summary>What the stream does when it has reached a limit.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public DiscardPolicy Discard { get; set; }

    /// <summary>Whether <see cref="DiscardPolicy.New"/> also applies to <see cref="MaxMessagesPerSubject"/>.</summary>
    public bool DiscardNewPerSubject { get; set; }

    /// <summary>Whether acknowledgements of publishes are turned off.</summary>
    public bool NoAck { get; set; }

    /// <summary>The duplicate window: how long message ids are remembered; 0 for the server's two minutes.</summary>
    public TimeSpan DuplicateWindow { get; set; }

    /// <summary>Where in a cluster it is placed.</summary>
    public Placement? Placement { get; set; }

    /// <summary>The stream that this one mirrors.</summary>
    public StreamSource? Mirror { get; set; }

    /// <summary>Streams that this one aggregates.</summary>
    public IReadOnlyList<StreamSource>? Sources { get; set; }

    /// <summary>The compression of its files.</summary>
    public StreamCompression Compression { get; set; }

    /// <summary>The sequence of the first message; 0 for 1.</summary>
    [JsonPropertyName("first_seq")] public ulong FirstSequence { get; set; }

    /// <summary>Transforms subjects before messages are stored.</summary>
    public SubjectTransform? SubjectTransform { get; set; }

    /// <summary>Republishes stored messages.</summary>
    public Republish? Republish { get; set; }

    /// <summary>Whether direct gets are allowed, which any replica can serve.</summary>
    public bool AllowDirect { get; set; }

    /// <summary>Whether a mirror serves direct gets of its origin.</summary>
    public bool MirrorDirect { get; set; }

    /// <summary>Whether the stream is sealed. Can only be set by an update.</summary>
    public bool Sealed { get; set; }

    /// <summary>Whether messages cannot be deleted.</summary>
    public bool DenyDelete { get; set; }

    /// <summary>Whether the stream cannot be purged.</summary>
    public bool DenyPurge { get; set; }

    /// <summary>Whether a publish may roll up earlier messages.</summary>
    [JsonPropertyName("allow_rollup_hdrs")] public bool AllowRollup { get; set; }

    /// <summary>Limits and defaults of its consumers.</summary>
    public ConsumerLimits? ConsumerLimits { get; set; }

    /// <summary>Whether a message may have its own time to live.</summary>
    [JsonPropertyName("allow_msg_ttl")] public bool AllowMessageTimeToLive { get; set; }

    /// <summary>How long a delete marker is kept when the last message of a subject has expired; 0 for no markers.</summary>
    [JsonPropertyName("subject_delete_marker_ttl")] public TimeSpan SubjectDeleteMarkerTimeToLive { get; set; }

    /// <summary>Whether messages are counters that publishes add to.</summary>
    [JsonPropertyName("allow_msg_counter")] public bool AllowMessageCounter { get; set; }

    /// <summary>Whether atomic batches may be published.</summary>
    [JsonPropertyName("allow_atomic")] public bool AllowAtomicPublish { get; set; }

    /// <summary>Whether scheduled messages may be published.</summary>
    [JsonPropertyName("allow_msg_schedules")] public bool AllowMessageSchedules { get; set; }

    /// <summary>Whether fast batches may be published.</summary>
    [JsonPropertyName("allow_batched")] public bool AllowBatchedPublish { get; set; }

    /// <summary>When a publish is acknowledged.</summary>
    public PersistMode PersistMode { get; set; }

    /// <summary>Application-defined metadata.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; set; }

    [JsonExtensionData, JsonInclude] internal Dictionary<string, JsonElement>? Unknown { get; set; }
}
