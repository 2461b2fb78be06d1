using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>The configuration of a consumer.</summary>
/// <remarks>Durations and counts of 0 mean the server's default. It has every field of nats-server 2.15; fields that a newer
/// server adds are kept when a configuration is read, changed and sent back. Source: JetStream API.</remarks>
public sealed record ConsumerConfig
{
    /// <summary>The name; null to let the client generate one.</summary>
    public string? Name { get; set; }

    /// <summary>The name of a durable consumer, which is not deleted when it is unused, unless <see cref="InactiveThreshold"/> is set.</summary>
    public string? DurableName { get; set; }

    /// <summary>A description.</summary>
    public string? Description { get; set; }

    /// <summary>Where it starts.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public DeliverPolicy DeliverPolicy { get; set; }

    /// <summary>The sequence to begin at.</summary>
    [JsonPropertyName("opt_start_seq")] public ulong StartSequence { get; set; }

    /// <summary>The time to begin at.</summary>
    [JsonPropertyName("opt_start_time")] public DateTimeOffset? StartTime { get; set; }

    /// <summary>The acknowledgement policy. By default each message must be acknowledged.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public AckPolicy AckPolicy { get; set; }

    /// <summary>How long the server waits for an acknowledgement before it redelivers the message.</summary>
    public TimeSpan AckWait { get; set; }

    /// <summary>Maximum number of deliveries of a message; -1 for no limit.</summary>
    public int MaxDeliver { get; set; }

    /// <summary>The delays before the second, third and later deliveries, instead of <see cref="AckWait"/>.</summary>
    public IReadOnlyList<TimeSpan>? Backoff { get; set; }

    /// <summary>The subject filter.</summary>
    public string? FilterSubject { get; set; }

    /// <summary>The subject filters, if there are several.</summary>
    public IReadOnlyList<string>? FilterSubjects { get; set; }

    /// <summary>How fast stored messages are delivered.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public ReplayPolicy ReplayPolicy { get; set; }

    /// <summary>Maximum rate at which it pushes, in bits per second.</summary>
    [JsonPropertyName("rate_limit_bps")] public ulong RateLimitBitsPerSecond { get; set; }

    /// <summary>The share of acknowledgements that is reported in advisories, such as <c>30%</c>.</summary>
    [JsonPropertyName("sample_freq")] public string? SampleFrequency { get; set; }

    /// <summary>Maximum number of waiting pull requests.</summary>
    public int MaxWaiting { get; set; }

    /// <summary>Maximum number of unacknowledged messages; -1 for no limit.</summary>
    public int MaxAckPending { get; set; }

    /// <summary>Whether pushed messages are subject to flow control.</summary>
    public bool FlowControl { get; set; }

    /// <summary>Whether messages are delivered without their payloads.</summary>
    public bool HeadersOnly { get; set; }

    /// <summary>Maximum number of messages of a pull request.</summary>
    [JsonPropertyName("max_batch")] public int MaxRequestBatch { get; set; }

    /// <summary>Maximum waiting time of a pull request.</summary>
    [JsonPropertyName("max_expires")] public TimeSpan MaxRequestExpires { get; set; }

    /// <summary>Maximum number of bytes of a pull request.</summary>
    [JsonPropertyName("max_bytes")] public int MaxRequestBytes { get; set; }

    /// <summary>The subject that messages are pushed to; null for a pull consumer.</summary>
    public string? DeliverSubject { get; set; }

    /// <summary>The queue group of the subscribers of that subject.</summary>
    public string? DeliverGroup { get; set; }

    /// <summary>Interval of heartbeats of an idle push consumer.</summary>
    public TimeSpan IdleHeartbeat { get; set; }

    /// <summary>How long it may be inactive before it is deleted.</summary>
    public TimeSpan InactiveThreshold { get; set; }

    /// <summary>Number of replicas in a cluster; 0 for that of its stream.</summary>
    [JsonPropertyName("num_replicas")] public int Replicas { get; set; }

    /// <summary>Whether its state is kept in memory.</summary>
    [JsonPropertyName("mem_storage")] public bool MemoryStorage { get; set; }

    /// <summary>Application-defined metadata.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; set; }

    /// <summary>The time until which the consumer is paused.</summary>
    public DateTimeOffset? PauseUntil { get; set; }

    /// <summary>The priority groups.</summary>
    public IReadOnlyList<string>? PriorityGroups { get; set; }

    /// <summary>How the pull requests of a group are served.</summary>
    public PriorityPolicy PriorityPolicy { get; set; }

    /// <summary>How long a pinned client may go without a pull request.</summary>
    public TimeSpan PriorityTimeout { get; set; }

    [JsonExtensionData, JsonInclude] internal Dictionary<string, JsonElement>? Unknown { get; set; }
}
