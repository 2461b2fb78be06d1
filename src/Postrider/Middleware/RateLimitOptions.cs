using Postrider.Resilience;

namespace Postrider.Middleware;

/// <summary>Options of <see cref="RateLimitMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record RateLimitOptions
{
    /// <summary>Messages per <see cref="Per"/>, of each type.</summary>
    public double Permits { get; init; } = 100;

    /// <summary>The period in which <see cref="Permits"/> are replenished, evenly.</summary>
    public TimeSpan Per { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>The burst: messages that may pass immediately after an idle period; null for <see cref="Permits"/>.</summary>
    public double? Burst { get; init; }

    /// <summary>Maximum wait of a message; one that would wait longer is rejected immediately. Zero for no waiting.</summary>
    public TimeSpan MaxWait { get; init; }

    /// <summary>Returns the limiter of a message type, which several types may share; null, or a null result, for one per type with the
    /// properties above. Called once per type.</summary>
    public Func<Type, RateLimiter?>? ByMessage { get; init; }
}
