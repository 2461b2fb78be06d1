using Postrider.Resilience;

namespace Postrider.Middleware;

/// <summary>Options of <see cref="RetryMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record RetryOptions
{
    /// <summary>Which failures are retried, how often and after which delay.</summary>
    public RetryPolicy Policy { get; init; } = new();

    /// <summary>Returns the policy of a message type; null, or a null result, for <see cref="Policy"/>. Called once per type.</summary>
    public Func<Type, RetryPolicy?>? ByMessage { get; init; }
}
