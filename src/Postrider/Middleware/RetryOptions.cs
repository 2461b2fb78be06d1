using Postrider.Resilience;

namespace Postrider.Middleware;

/// <summary>Options of <see cref="RetryMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record RetryOptions
{
    /// <summary>Which failures are repeated, how often and after what delay.</summary>
    public RetryPolicy Policy { get; init; } = new();

    /// <summary>Another policy for a message type; null, or a null answer, for <see cref="Policy"/>. Asked once per type.</summary>
    public Func<Type, RetryPolicy?>? ByMessage { get; init; }
}
