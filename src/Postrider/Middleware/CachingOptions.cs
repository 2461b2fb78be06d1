namespace Postrider.Middleware;

/// <summary>Options of <see cref="CachingMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record CachingOptions
{
    /// <summary>Maximum number of cached responses per message type; beyond it, those that expire first are removed. At least 1.</summary>
    public int MaxEntries { get; init; } = 1024;
}
