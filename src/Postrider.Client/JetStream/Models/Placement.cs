namespace Postrider.Client.JetStream.Models;

/// <summary>Where in a cluster a stream is placed.</summary>
public sealed record Placement
{
    /// <summary>The cluster, or null for any.</summary>
    public string? Cluster { get; set; }

    /// <summary>Tags that its servers must have.</summary>
    public IReadOnlyList<string>? Tags { get; set; }

    /// <summary>The server that should lead.</summary>
    public string? Preferred { get; set; }
}
