namespace Postrider.Client.Services;

/// <summary>Options of an endpoint.</summary>
public sealed record EndpointOptions
{
    /// <summary>The subject, relative to the group's; null for the endpoint's name.</summary>
    public string? Subject { get; init; }

    /// <summary>The queue group; null for the service's.</summary>
    public string? QueueGroup { get; init; }

    /// <summary>Application-defined metadata.</summary>
    public IReadOnlyDictionary<string, string> Metadata { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>Number of requests that are handled concurrently. Default 1: in order.</summary>
    public int Concurrency { get; init; } = 1;
}
