using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>A stream's configuration and what is in it.</summary>
public sealed record StreamInfo
{
    /// <summary>The configuration with every default filled in.</summary>
    public required StreamConfig Config { get; init; }

    /// <summary>When it was created.</summary>
    public DateTimeOffset Created { get; init; }

    /// <summary>What is in it.</summary>
    public StreamState State { get; init; } = new();

    /// <summary>The domain it lives in, or null.</summary>
    public string? Domain { get; init; }

    /// <summary>Its replicas; null on a single server.</summary>
    public ClusterInfo? Cluster { get; init; }

    /// <summary>How far it has copied the stream it mirrors.</summary>
    public StreamSourceInfo? Mirror { get; init; }

    /// <summary>How far it has copied its sources.</summary>
    public IReadOnlyList<StreamSourceInfo>? Sources { get; init; }

    /// <summary>Streams with the same messages, the nearest first.</summary>
    public IReadOnlyList<StreamAlternate>? Alternates { get; init; }

    /// <summary>When the server wrote this.</summary>
    [JsonPropertyName("ts")] public DateTimeOffset Time { get; init; }
}
