using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>The configuration and state of a consumer.</summary>
public sealed record ConsumerInfo
{
    /// <summary>Its stream.</summary>
    public string StreamName { get; init; } = "";

    /// <summary>The name.</summary>
    public string Name { get; init; } = "";

    /// <summary>When it was created.</summary>
    public DateTimeOffset Created { get; init; }

    /// <summary>The configuration, including defaults.</summary>
    public ConsumerConfig Config { get; init; } = new();

    /// <summary>The last delivery.</summary>
    public SequenceInfo Delivered { get; init; } = new();

    /// <summary>The last sequence up to which all messages are acknowledged.</summary>
    public SequenceInfo AckFloor { get; init; } = new();

    /// <summary>Number of messages that are not acknowledged yet.</summary>
    [JsonPropertyName("num_ack_pending")] public int AckPendingCount { get; init; }

    /// <summary>Number of those that were delivered more than once.</summary>
    [JsonPropertyName("num_redelivered")] public int RedeliveredCount { get; init; }

    /// <summary>Number of waiting pull requests.</summary>
    [JsonPropertyName("num_waiting")] public int WaitingCount { get; init; }

    /// <summary>Number of messages that were not delivered yet.</summary>
    [JsonPropertyName("num_pending")] public ulong PendingCount { get; init; }

    /// <summary>The replicas; null on a single server.</summary>
    public ClusterInfo? Cluster { get; init; }

    /// <summary>Whether its deliver subject has a subscriber.</summary>
    public bool PushBound { get; init; }

    /// <summary>Whether it is paused.</summary>
    public bool Paused { get; init; }

    /// <summary>How long it remains paused.</summary>
    public TimeSpan PauseRemaining { get; init; }

    /// <summary>The state of its priority groups.</summary>
    public IReadOnlyList<PriorityGroupState>? PriorityGroups { get; init; }

    /// <summary>When the server created this information.</summary>
    [JsonPropertyName("ts")] public DateTimeOffset Time { get; init; }
}
