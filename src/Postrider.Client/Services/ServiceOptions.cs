namespace Postrider.Client.Services;

/// <summary>What a service says of itself. Source: NATS ADR-32.</summary>
public sealed record ServiceOptions
{
    /// <summary>The name: letters, digits, <c>-</c> and <c>_</c>.</summary>
    public required string Name { get; init; }

    /// <summary>The version, as of semantic versioning: <c>1.2.3</c>.</summary>
    public required string Version { get; init; }

    /// <summary>What it does, for people.</summary>
    public string Description { get; init; } = "";

    /// <summary>Whatever else is worth telling.</summary>
    public IReadOnlyDictionary<string, string> Metadata { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>The queue group of its endpoints, so that instances share the work. Default <c>q</c>; null for none.</summary>
    public string? QueueGroup { get; init; } = "q";

    /// <summary>Called when the service is disposed and its endpoints have answered what had arrived, for what they leave under way; awaited. Null for nothing.</summary>
    public Func<ValueTask>? Stopping { get; init; }
}
