using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>A consumer's configuration and how far it is.</summary>
public sealed record ConsumerInfo
{
    /// <summary>Its stream.</summary>
    public string StreamName { get; init; } = "";

    /// <summary>Its name.</summary>
    public string Name { get; init; } = "";

    /// <summary>When it was created.</summary>
    public DateTimeOffset Created { get; init; }

    /// <summary>The configuration with every default filled in.</summary>
    public ConsumerConfig Config { get; init; } = new();

    /// <summary>The last delivery.</summary>
    public SequenceInfo Delivered { get; init; } = new();

    /// <summary>Up to here everything is acknowledged.</summary>
    public SequenceInfo AckFloor { get; init; } = new();

    /// <summary>Messages that wait for acknowledgements.</summary>
    [JsonPropertyName("num_ack_pending")] public int AckPendingCount { get; init; }

    /// <summary>Of those, how many were delivered more than once.</summary>
    [JsonPropertyName("num_redelivered")] public int RedeliveredCount { get; init; }

    /// <summary>Pulls that wait.</summary>
    [JsonPropertyName("num_waiting")] public int WaitingCount { get; init; }

    /// <summary>Messages still to be delivered.</summary>
    [JsonPropertyName("num_pending")] public ulong PendingCount { get; init; }

    /// <summary>Its replicas; null on a single server.</summary>
    public ClusterInfo? Cluster { get; init; }

    /// <summary>Whether somebody listens where it pushes to.</summary>
    public bool PushBound { get; init; }

    /// <summary>Whether it delivers nothing for now.</summary>
    public bool Paused { get; init; }

    /// <summary>For how long.</summary>
    public TimeSpan PauseRemaining { get; init; }

    /// <summary>Who is pinned in which group.</summary>
    public IReadOnlyList<PriorityGroupState>? PriorityGroups { get; init; }

    /// <summary>When the server wrote this.</summary>
    [JsonPropertyName("ts")] public DateTimeOffset Time { get; init; }
}
