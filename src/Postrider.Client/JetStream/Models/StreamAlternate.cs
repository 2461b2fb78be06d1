namespace Postrider.Client.JetStream.Models;

/// <summary>A mirror of a stream.</summary>
public sealed record StreamAlternate
{
    /// <summary>The name.</summary>
    public string Name { get; init; } = "";

    /// <summary>Its cluster.</summary>
    public string Cluster { get; init; } = "";

    /// <summary>Its domain, or null.</summary>
    public string? Domain { get; init; }
}
