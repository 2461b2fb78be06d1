using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>The response to creating, resetting and reading a consumer: the members of <see cref="ConsumerInfo"/>, or an error.</summary>
internal sealed class ConsumerInfoReply : ApiReply
{
    private const JsonIgnoreCondition Empty = JsonIgnoreCondition.WhenWritingNull;

    public ConsumerInfoReply()
    {
    }

    public ConsumerInfoReply(ConsumerInfo info)
    {
        Stream = info.Stream;
        Name = info.Name;
        Created = info.Created;
        Config = info.Config;
        Delivered = info.Delivered;
        AckFloor = info.AckFloor;
        AckPending = info.AckPending;
        Redelivered = info.Redelivered;
        Waiting = info.Waiting;
        Pending = info.Pending;
        PushBound = info.PushBound ? true : null;
        Paused = info.Paused ? true : null;
        PauseRemaining = info.PauseRemaining == TimeSpan.Zero ? null : info.PauseRemaining;
        Timestamp = info.Timestamp;
        PriorityGroups = info.PriorityGroups;
    }

    [JsonPropertyName("stream_name"), JsonIgnore(Condition = Empty)] public string? Stream { get; init; }

    [JsonPropertyName("name"), JsonIgnore(Condition = Empty)] public string? Name { get; init; }

    [JsonPropertyName("created"), JsonIgnore(Condition = Empty)] public DateTimeOffset? Created { get; init; }

    [JsonPropertyName("config"), JsonIgnore(Condition = Empty)] public ConsumerConfig? Config { get; init; }

    [JsonPropertyName("delivered"), JsonIgnore(Condition = Empty)] public SequenceInfo? Delivered { get; init; }

    [JsonPropertyName("ack_floor"), JsonIgnore(Condition = Empty)] public SequenceInfo? AckFloor { get; init; }

    [JsonPropertyName("num_ack_pending"), JsonIgnore(Condition = Empty)] public int? AckPending { get; init; }

    [JsonPropertyName("num_redelivered"), JsonIgnore(Condition = Empty)] public int? Redelivered { get; init; }

    [JsonPropertyName("num_waiting"), JsonIgnore(Condition = Empty)] public int? Waiting { get; init; }

    [JsonPropertyName("num_pending"), JsonIgnore(Condition = Empty)] public ulong? Pending { get; init; }

    [JsonPropertyName("push_bound"), JsonIgnore(Condition = Empty)] public bool? PushBound { get; init; }

    [JsonPropertyName("paused"), JsonIgnore(Condition = Empty)] public bool? Paused { get; init; }

    [JsonPropertyName("pause_remaining"), JsonIgnore(Condition = Empty)] public Nanoseconds? PauseRemaining { get; init; }

    [JsonPropertyName("ts"), JsonIgnore(Condition = Empty)] public DateTimeOffset? Timestamp { get; init; }

    [JsonPropertyName("priority_groups"), JsonIgnore(Condition = Empty)] public PriorityGroupState[]? PriorityGroups { get; init; }

    /// <summary>The sequence at which a reset consumer restarts.</summary>
    [JsonPropertyName("reset_seq"), JsonIgnore(Condition = Empty)] public ulong? ResetSequence { get; init; }
}
