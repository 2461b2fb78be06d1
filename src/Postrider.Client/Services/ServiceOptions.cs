namespace Postrider.Client.Services;

/// <summary>Options of a service. Source: NATS ADR-32.</summary>
public sealed record ServiceOptions
{
    /// <summary>The name: letters, digits, <c>-</c> and <c>_</c>.</summary>
    public required string Name { get; init; }

    /// <summary>The semantic version: <c>1.2.3</c>.</summary>
    public required string Version { get; init; }

    /// <summary>A description.</summary>
    public string Description { get; init; } = "";

    /// <summary>Application-defined metadata.</summary>
    public IReadOnlyDictionary<string, string> Metadata { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>The queue group of the endpoints, through which instances share the requests. Default <c>q</c>; null for none.</summary>
    public string? QueueGroup { get; init; } = "q";

    /// <summary>Called and awaited when the service is disposed, after its endpoints have replied to all received requests. Null for none.</summary>
    public Func<ValueTask>? Stopping { get; init; }
}
