using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A consumer's configuration: the API's 35 fields.</summary>
/// <remarks>Shape: written in the API's order, empty fields left out except for four that clients rely on. A configuration in use is
/// never changed, only replaced. Source: the API's <c>ConsumerConfig</c>.</remarks>
internal sealed record ConsumerConfig
{
    private const JsonIgnoreCondition Empty = JsonIgnoreCondition.WhenWritingDefault;

    /// <summary>The name of a durable consumer, which outlives its clients.</summary>
    [JsonPropertyName("durable_name"), JsonIgnore(Condition = Empty)] public string? Durable { get; init; }

    /// <summary>The name.</summary>
    [JsonPropertyName("name"), JsonIgnore(Condition = Empty)] public string? Name { get; init; }

    /// <summary>A description, without effect.</summary>
    [JsonPropertyName("description"), JsonIgnore(Condition = Empty)] public string? Description { get; init; }

    /// <summary>Where deliveries begin.</summary>
    [JsonPropertyName("deliver_policy")] public DeliverPolicy DeliverPolicy { get; init; }

    /// <summary>The sequence at which deliveries begin; 0 = none.</summary>
    [JsonPropertyName("opt_start_seq"), JsonIgnore(Condition = Empty)] public ulong StartSequence { get; init; }

    /// <summary>The time at which deliveries begin.</summary>
    [JsonPropertyName("opt_start_time"), JsonIgnore(Condition = Empty)] public Moment? StartTime { get; init; }

    /// <summary>How deliveries are acknowledged.</summary>
    [JsonPropertyName("ack_policy")] public AckPolicy AckPolicy { get; init; }

    /// <summary>How long to wait for an acknowledgement.</summary>
    [JsonPropertyName("ack_wait"), JsonIgnore(Condition = Empty)] public Nanoseconds AckWait { get; init; }

    /// <summary>Maximum number of deliveries of one message; -1 = unlimited.</summary>
    [JsonPropertyName("max_deliver"), JsonIgnore(Condition = Empty)] public long MaxDeliver { get; init; }

    /// <summary>The wait after each delivery, instead of <see cref="AckWait"/>.</summary>
    [JsonPropertyName("backoff"), JsonIgnore(Condition = Empty)] public Nanoseconds[]? Backoff { get; init; }

    /// <summary>The subject or pattern of the messages to deliver.</summary>
    [JsonPropertyName("filter_subject"), JsonIgnore(Condition = Empty)] public string? FilterSubject { get; init; }

    /// <summary>The subjects of the messages to deliver, if there are several.</summary>
    [JsonPropertyName("filter_subjects"), JsonIgnore(Condition = Empty)] public string[]? FilterSubjects { get; init; }

    /// <summary>How fast messages that are already stored are delivered.</summary>
    [JsonPropertyName("replay_policy")] public ReplayPolicy ReplayPolicy { get; init; }

    /// <summary>Maximum rate in bits per second; 0 = unlimited.</summary>
    [JsonPropertyName("rate_limit_bps"), JsonIgnore(Condition = Empty)] public ulong RateLimitBitsPerSecond { get; init; }

    /// <summary>The share of the acknowledgements that is reported, in percent.</summary>
    [JsonPropertyName("sample_freq"), JsonIgnore(Condition = Empty)] public string? SampleFrequency { get; init; }

    /// <summary>Maximum number of waiting pull requests.</summary>
    [JsonPropertyName("max_waiting"), JsonIgnore(Condition = Empty)] public long MaxWaiting { get; init; }

    /// <summary>Maximum number of open deliveries; -1 = unlimited.</summary>
    [JsonPropertyName("max_ack_pending"), JsonIgnore(Condition = Empty)] public long MaxAckPending { get; init; }

    /// <summary>Whether a push consumer waits for responses of its client.</summary>
    [JsonPropertyName("flow_control"), JsonIgnore(Condition = Empty)] public bool FlowControl { get; init; }

    /// <summary>Whether payloads are left out.</summary>
    [JsonPropertyName("headers_only"), JsonIgnore(Condition = Empty)] public bool HeadersOnly { get; init; }

    /// <summary>The maximum number of messages of one pull.</summary>
    [JsonPropertyName("max_batch"), JsonIgnore(Condition = Empty)] public long MaxRequestBatch { get; init; }

    /// <summary>Maximum waiting time of one pull.</summary>
    [JsonPropertyName("max_expires"), JsonIgnore(Condition = Empty)] public Nanoseconds MaxRequestExpires { get; init; }

    /// <summary>Maximum number of bytes of one pull.</summary>
    [JsonPropertyName("max_bytes"), JsonIgnore(Condition = Empty)] public long MaxRequestMaxBytes { get; init; }

    /// <summary>The subject to which a push consumer delivers; null for a pull consumer.</summary>
    [JsonPropertyName("deliver_subject"), JsonIgnore(Condition = Empty)] public string? DeliverSubject { get; init; }

    /// <summary>The queue group that a push consumer delivers to.</summary>
    [JsonPropertyName("deliver_group"), JsonIgnore(Condition = Empty)] public string? DeliverGroup { get; init; }

    /// <summary>The interval of a push consumer's heartbeats.</summary>
    [JsonPropertyName("idle_heartbeat"), JsonIgnore(Condition = Empty)] public Nanoseconds Heartbeat { get; init; }

    /// <summary>How long the consumer is kept without clients; zero = without limit.</summary>
    [JsonPropertyName("inactive_threshold"), JsonIgnore(Condition = Empty)] public Nanoseconds InactiveThreshold { get; init; }

    /// <summary>Number of replicas; 0 = the stream's.</summary>
    [JsonPropertyName("num_replicas")] public long Replicas { get; init; }

    /// <summary>Whether its state is kept in memory only.</summary>
    [JsonPropertyName("mem_storage"), JsonIgnore(Condition = Empty)] public bool MemoryStorage { get; init; }

    /// <summary>Whether a mirror or a source uses it: without stored state, and not listed.</summary>
    [JsonPropertyName("direct"), JsonIgnore(Condition = Empty)] public bool Direct { get; init; }

    /// <summary>Whether a mirror or a source uses it.</summary>
    [JsonPropertyName("sourcing"), JsonIgnore(Condition = Empty)] public bool Sourcing { get; init; }

    /// <summary>Metadata of users and servers.</summary>
    [JsonPropertyName("metadata"), JsonIgnore(Condition = Empty)] public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>The time until which nothing is delivered.</summary>
    [JsonPropertyName("pause_until"), JsonIgnore(Condition = Empty)] public Moment? PauseUntil { get; init; }

    /// <summary>The groups that pull requests may name.</summary>
    [JsonPropertyName("priority_groups"), JsonIgnore(Condition = Empty)] public string[]? PriorityGroups { get; init; }

    /// <summary>The priority policy for requests of a group.</summary>
    [JsonPropertyName("priority_policy"), JsonIgnore(Condition = Empty)] public PriorityPolicy PriorityPolicy { get; init; }

    /// <summary>How long a pinned client may be inactive.</summary>
    [JsonPropertyName("priority_timeout"), JsonIgnore(Condition = Empty)] public Nanoseconds PinnedTimeout { get; init; }

    /// <summary>Whether it is a pull consumer.</summary>
    [JsonIgnore] public bool IsPull => string.IsNullOrEmpty(DeliverSubject);

    /// <summary>Whether another stream copies the messages through it. Such a consumer takes no messages from others.</summary>
    [JsonIgnore] public bool IsForCopies => Direct || Sourcing;

    /// <summary>Whether it is durable: it outlives its clients.</summary>
    [JsonIgnore] public bool IsDurable => !string.IsNullOrEmpty(Durable);

    /// <summary>The subjects from both filter fields; empty = all.</summary>
    [JsonIgnore]
    public string[] Filters
        => string.IsNullOrEmpty(FilterSubject) ? FilterSubjects ?? [] : [.. FilterSubjects ?? [], FilterSubject];

    /// <summary>The share of acknowledgements that is reported, in percent; 0 = none.</summary>
    [JsonIgnore]
    public int SamplePercent => long.TryParse(SampleFrequency.AsSpan().TrimEnd('%'), out var percent) ? (int)Math.Clamp(percent, 0, 100) : 0;

    /// <summary>The part of the configuration that decides about redelivery.</summary>
    public RedeliverySettings ToRedeliverySettings() => new(
        AckPolicy,
        Clock.Of(AckWait),
        [.. (Backoff ?? []).Select(Clock.Of)],
        (ulong)Math.Max(MaxDeliver, 0),
        AckPolicy == AckPolicy.None ? 0 : (int)Math.Clamp(MaxAckPending, 0, int.MaxValue));
}
