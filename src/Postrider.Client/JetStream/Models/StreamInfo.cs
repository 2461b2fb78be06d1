using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>The configuration and state of a stream.</summary>
public sealed record StreamInfo
{
    /// <summary>The configuration, including defaults.</summary>
    public required StreamConfig Config { get; init; }

    /// <summary>When it was created.</summary>
    public DateTimeOffset Created { get; init; }

    /// <summary>The state.</summary>
    public StreamState State { get; init; } = new();

    /// <summary>The JetStream domain, or null.</summary>
    public string? Domain { get; init; }

    /// <summary>The replicas; null on a single server.</summary>
    public ClusterInfo? Cluster { get; init; }

    /// <summary>The state of the mirror.</summary>
    public StreamSourceInfo? Mirror { get; init; }

    /// <summary>The state of the sources.</summary>
    public IReadOnlyList<StreamSourceInfo>? Sources { get; init; }

    /// <summary>Mirrors, the nearest first.</summary>
    public IReadOnlyList<StreamAlternate>? Alternates { get; init; }

    /// <summary>When the server created this information.</summary>
    [JsonPropertyName("ts")] public DateTimeOffset Time { get; init; }
}
