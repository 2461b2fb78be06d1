namespace Postrider.Middleware;

/// <summary>Options of <see cref="LoggingMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record LoggingOptions
{
    /// <summary>A message that takes longer is logged as a warning.</summary>
    public TimeSpan SlowAfter { get; init; } = TimeSpan.FromSeconds(1);
}
