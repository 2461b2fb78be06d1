using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>What a consumer delivers, and how.</summary>
/// <remarks>Durations and counts of 0 take the server's default. Every field of nats-server 2.15 is here; what a newer
/// server adds is kept when a configuration is read, changed and sent back. Source: JetStream API.</remarks>
public sealed record ConsumerConfig
{
    /// <summary>The name; null lets the client make one.</summary>
    public string? Name { get; set; }

    /// <summary>The name of a consumer that stays when nobody uses it, unless <see cref="InactiveThreshold"/> says otherwise.</summary>
    public string? DurableName { get; set; }

    /// <summary>What it is for.</summary>
    public string? Description { get; set; }

    /// <summary>Where it begins.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public DeliverPolicy DeliverPolicy { get; set; }

    /// <summary>The sequence to begin at.</summary>
    [JsonPropertyName("opt_start_seq")] public ulong StartSequence { get; set; }

    /// <summary>The time to begin at.</summary>
    [JsonPropertyName("opt_start_time")] public DateTimeOffset? StartTime { get; set; }

    /// <summary>What it expects for its messages. Default an acknowledgement of each.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public AckPolicy AckPolicy { get; set; }

    /// <summary>How long an acknowledgement may take before the message is delivered again.</summary>
    public TimeSpan AckWait { get; set; }

    /// <summary>How often a message is delivered at most; -1 without end.</summary>
    public int MaxDeliver { get; set; }

    /// <summary>The waits before the second, third and later deliveries, in place of <see cref="AckWait"/>.</summary>
    public IReadOnlyList<TimeSpan>? Backoff { get; set; }

    /// <summary>The subjects it delivers.</summary>
    public string? FilterSubject { get; set; }

    /// <summary>The subjects it delivers, if they are several.</summary>
    public IReadOnlyList<string>? FilterSubjects { get; set; }

    /// <summary>How fast it delivers what is stored.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public ReplayPolicy ReplayPolicy { get; set; }

    /// <summary>The most it pushes, in bits per second.</summary>
    [JsonPropertyName("rate_limit_bps")] public ulong RateLimitBitsPerSecond { get; set; }

    /// <summary>How many acknowledgements are told to observers, such as <c>30%</c>.</summary>
    [JsonPropertyName("sample_freq")] public string? SampleFrequency { get; set; }

    /// <summary>How many pulls may wait.</summary>
    public int MaxWaiting { get; set; }

    /// <summary>How many messages may wait for acknowledgements; -1 for any number.</summary>
    public int MaxAckPending { get; set; }

    /// <summary>Whether what is pushed is slowed to the receiver's pace.</summary>
    public bool FlowControl { get; set; }

    /// <summary>Whether payloads are left out.</summary>
    public bool HeadersOnly { get; set; }

    /// <summary>The most messages that a pull may ask for.</summary>
    [JsonPropertyName("max_batch")] public int MaxRequestBatch { get; set; }

    /// <summary>The longest that a pull may wait.</summary>
    [JsonPropertyName("max_expires")] public TimeSpan MaxRequestExpires { get; set; }

    /// <summary>The most bytes that a pull may ask for.</summary>
    [JsonPropertyName("max_bytes")] public int MaxRequestBytes { get; set; }

    /// <summary>Where messages are pushed to; null for a consumer that is pulled from.</summary>
    public string? DeliverSubject { get; set; }

    /// <summary>The queue group of those who listen there.</summary>
    public string? DeliverGroup { get; set; }

    /// <summary>How often a silent consumer that pushes says that it lives.</summary>
    public TimeSpan IdleHeartbeat { get; set; }

    /// <summary>How long it may be unused before it is deleted.</summary>
    public TimeSpan InactiveThreshold { get; set; }

    /// <summary>On how many servers of a cluster it lives; 0 for as many as its stream.</summary>
    [JsonPropertyName("num_replicas")] public int Replicas { get; set; }

    /// <summary>Whether its state is kept in memory.</summary>
    [JsonPropertyName("mem_storage")] public bool MemoryStorage { get; set; }

    /// <summary>Names and values of the owner's own.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; set; }

    /// <summary>Until when it delivers nothing.</summary>
    public DateTimeOffset? PauseUntil { get; set; }

    /// <summary>The groups of its pulls.</summary>
    public IReadOnlyList<string>? PriorityGroups { get; set; }

    /// <summary>How the pulls of a group are served.</summary>
    public PriorityPolicy PriorityPolicy { get; set; }

    /// <summary>How long a pinned client may be silent.</summary>
    public TimeSpan PriorityTimeout { get; set; }

    [JsonExtensionData, JsonInclude] internal Dictionary<string, JsonElement>? Unknown { get; set; }
}
