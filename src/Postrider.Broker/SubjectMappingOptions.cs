namespace Postrider.Broker;

/// <summary>Publishes what clients send to one subject to other subjects instead.</summary>
/// <remarks>It comes before the publish permissions, which apply to the new subject. Source: NATS subject mapping.</remarks>
public sealed record SubjectMappingOptions
{
    /// <summary>The subject or pattern that clients publish to.</summary>
    public required string Source { get; set; }

    /// <summary>The subjects that are used instead. Where their weights sum to less than 100, the rest of the messages keeps its subject,
    /// unless <see cref="Source"/> is one of the destinations: then the rest is lost.</summary>
    public IReadOnlyList<SubjectMappingDestination> Destinations { get; set; } = [];
}
