namespace Postrider.Resilience;

/// <summary>A call was refused because a <see cref="CircuitBreaker"/> is not closed.</summary>
public sealed class CircuitBreakerOpenException : Exception
{
    // Windows' timers tick every 15.6 ms, Linux's coarse clock every 4 ms: who waited for the end of OpenTime may be so early.
    private static readonly TimeSpan EarlyTimer = TimeSpan.FromMilliseconds(16);

    /// <summary>Makes the exception without details.</summary>
    public CircuitBreakerOpenException()
        : this(CircuitBreakerState.Open, retryAfter: null)
    {
    }

    /// <summary>Makes the exception with a message.</summary>
    /// <param name="message">What was refused.</param>
    public CircuitBreakerOpenException(string message)
        : base(message)
    {
    }

    /// <summary>Makes the exception with a message and a cause.</summary>
    /// <param name="message">What was refused.</param>
    /// <param name="innerException">The cause.</param>
    public CircuitBreakerOpenException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Makes the exception for a state.</summary>
    /// <param name="state">The breaker's state when it refused.</param>
    /// <param name="retryAfter">How long until a call may pass; null when only a reset helps.</param>
    public CircuitBreakerOpenException(CircuitBreakerState state, TimeSpan? retryAfter)
        : base(retryAfter is { } wait ? $"The circuit breaker is {state}; the next call may pass in {wait}." : $"The circuit breaker is {state}.")
    {
        State = state;
        RetryAfter = retryAfter;
    }

    /// <summary>The breaker's state when it refused.</summary>
    public CircuitBreakerState State { get; } = CircuitBreakerState.Open;

    /// <summary>How long to wait before asking again; null when unknown or when only a reset helps.</summary>
    public TimeSpan? RetryAfter { get; }

    /// <summary>Probes are about to decide, or have: the refusal says nothing about the service.</summary>
    internal bool IsUndecided
        => State is CircuitBreakerState.HalfOpen or CircuitBreakerState.Closed || (State is CircuitBreakerState.Open && RetryAfter <= EarlyTimer);
}
