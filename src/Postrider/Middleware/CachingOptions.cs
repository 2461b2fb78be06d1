namespace Postrider.Middleware;

/// <summary>Options of <see cref="CachingMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record CachingOptions
{
    /// <summary>Responses kept per message type; when there are more, the ones that expire first go. From 1
    /// upwards.</summary>
    public int MaxEntries { get; init; } = 1024;
}
