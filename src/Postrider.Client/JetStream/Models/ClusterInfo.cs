namespace Postrider.Client.JetStream.Models;

/// <summary>Where a stream or consumer lives in a cluster.</summary>
public sealed record ClusterInfo
{
    /// <summary>The cluster's name.</summary>
    public string? Name { get; init; }

    /// <summary>The server that leads; null while there is none.</summary>
    public string? Leader { get; init; }

    /// <summary>The other servers.</summary>
    public IReadOnlyList<PeerInfo>? Replicas { get; init; }
}
