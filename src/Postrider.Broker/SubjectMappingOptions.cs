namespace Postrider.Broker;

/// <summary>Publishes the messages that clients send to one subject to other subjects instead.</summary>
/// <remarks>It is applied before the publish permissions, which apply to the new subject. Source: NATS subject mapping.</remarks>
public sealed record SubjectMappingOptions
{
    /// <summary>The subject or pattern that clients publish to.</summary>
    public required string Source { get; set; }

    /// <summary>The destinations. If the sum of their weights is less than 100, the rest of the messages keeps its subject,
    /// unless <see cref="Source"/> is one of the destinations: then the rest is dropped.</summary>
    public IReadOnlyList<SubjectMappingDestination> Destinations { get; set; } = [];
}
