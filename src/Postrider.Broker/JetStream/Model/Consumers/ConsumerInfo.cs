using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A consumer as the API shows it.</summary>
/// <remarks>Source: the API's <c>ConsumerInfo</c>.</remarks>
internal sealed record ConsumerInfo
{
    private const JsonIgnoreCondition Empty = JsonIgnoreCondition.WhenWritingDefault;

    /// <summary>The stream's name.</summary>
    [JsonPropertyName("stream_name")] public required string Stream { get; init; }

    /// <summary>The consumer's name.</summary>
    [JsonPropertyName("name")] public required string Name { get; init; }

    /// <summary>When it was created.</summary>
    [JsonPropertyName("created")] public DateTimeOffset Created { get; init; }

    /// <summary>The configuration.</summary>
    [JsonPropertyName("config")] public required ConsumerConfig Config { get; init; }

    /// <summary>The newest delivery.</summary>
    [JsonPropertyName("delivered")] public required SequenceInfo Delivered { get; init; }

    /// <summary>The position up to which everything is acknowledged.</summary>
    [JsonPropertyName("ack_floor")] public required SequenceInfo AckFloor { get; init; }

    /// <summary>The number of open deliveries.</summary>
    [JsonPropertyName("num_ack_pending")] public int AckPending { get; init; }

    /// <summary>The number of redelivered messages.</summary>
    [JsonPropertyName("num_redelivered")] public int Redelivered { get; init; }

    /// <summary>The number of waiting pull requests.</summary>
    [JsonPropertyName("num_waiting")] public int Waiting { get; init; }

    /// <summary>The number of messages that were not delivered yet.</summary>
    [JsonPropertyName("num_pending")] public ulong Pending { get; init; }

    /// <summary>Whether a push consumer's deliver subject has interest.</summary>
    [JsonPropertyName("push_bound"), JsonIgnore(Condition = Empty)] public bool PushBound { get; init; }

    /// <summary>Whether it is paused.</summary>
    [JsonPropertyName("paused"), JsonIgnore(Condition = Empty)] public bool Paused { get; init; }

    /// <summary>The remaining time of the pause.</summary>
    [JsonPropertyName("pause_remaining"), JsonIgnore(Condition = Empty)] public Nanoseconds PauseRemaining { get; init; }

    /// <summary>When the information was collected.</summary>
    [JsonPropertyName("ts")] public DateTimeOffset Timestamp { get; init; }

    /// <summary>Its priority groups.</summary>
    [JsonPropertyName("priority_groups"), JsonIgnore(Condition = Empty)] public PriorityGroupState[]? PriorityGroups { get; init; }
}
