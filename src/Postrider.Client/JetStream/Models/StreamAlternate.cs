namespace Postrider.Client.JetStream.Models;

/// <summary>Another stream with the same messages.</summary>
public sealed record StreamAlternate
{
    /// <summary>Its name.</summary>
    public string Name { get; init; } = "";

    /// <summary>Its cluster.</summary>
    public string Cluster { get; init; } = "";

    /// <summary>Its domain, or null.</summary>
    public string? Domain { get; init; }
}
