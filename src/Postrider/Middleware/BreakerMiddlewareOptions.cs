using Postrider.Flow.Gates;

namespace Postrider.Middleware;

/// <summary>Options of <see cref="BreakerMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record BreakerMiddlewareOptions
{
    /// <summary>When the breaker of a message type opens and closes.</summary>
    public BreakerOptions Rules { get; init; } = new();

    /// <summary>A breaker for a message type, which several types may share; null, or a null answer, for one per type made of
    /// <see cref="Rules"/>. Asked once per type.</summary>
    public Func<Type, Breaker?>? ByMessage { get; init; }
}
