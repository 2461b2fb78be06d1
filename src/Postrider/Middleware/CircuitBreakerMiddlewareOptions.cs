using Postrider.Resilience;

namespace Postrider.Middleware;

/// <summary>Options of <see cref="CircuitBreakerMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record CircuitBreakerMiddlewareOptions
{
    /// <summary>When the breaker of a message type opens and closes.</summary>
    public CircuitBreakerOptions Options { get; init; } = new();

    /// <summary>Returns the breaker of a message type, which several types may share; null, or a null result, for one per type with
    /// <see cref="Options"/>. Called once per type.</summary>
    public Func<Type, CircuitBreaker?>? ByMessage { get; init; }
}
