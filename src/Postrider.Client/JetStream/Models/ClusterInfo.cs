namespace Postrider.Client.JetStream.Models;

/// <summary>The servers of a cluster that hold a stream or consumer.</summary>
public sealed record ClusterInfo
{
    /// <summary>The cluster's name.</summary>
    public string? Name { get; init; }

    /// <summary>The leader; null while there is none.</summary>
    public string? Leader { get; init; }

    /// <summary>The other servers.</summary>
    public IReadOnlyList<PeerInfo>? Replicas { get; init; }
}
