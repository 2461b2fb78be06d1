using Postrider.Resilience;

namespace Postrider.Middleware;

/// <summary>Options of <see cref="RateLimitMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record RateLimitOptions
{
    /// <summary>Messages per <see cref="Per"/>, of each type.</summary>
    public double Permits { get; init; } = 100;

    /// <summary>The time in which <see cref="Permits"/> come back, evenly.</summary>
    public TimeSpan Per { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Messages that may pass at once after a quiet time; null for <see cref="Permits"/>.</summary>
    public double? Burst { get; init; }

    /// <summary>How long a message may wait for its turn; one that would wait longer is refused at once. Zero: none waits.</summary>
    public TimeSpan MaxWait { get; init; }

    /// <summary>A limiter for a message type, which several types may share; null, or a null answer, for one per type made of the
    /// properties above. Asked once per type.</summary>
    public Func<Type, RateLimiter?>? ByMessage { get; init; }
}
