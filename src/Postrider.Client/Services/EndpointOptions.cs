namespace Postrider.Client.Services;

/// <summary>What may be said of one endpoint.</summary>
public sealed record EndpointOptions
{
    /// <summary>The subject below the group's; null for the endpoint's name.</summary>
    public string? Subject { get; init; }

    /// <summary>The queue group; null for the service's.</summary>
    public string? QueueGroup { get; init; }

    /// <summary>Whatever else is worth telling.</summary>
    public IReadOnlyDictionary<string, string> Metadata { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>How many requests are handled at once. Default 1: in order.</summary>
    public int Concurrency { get; init; } = 1;
}
