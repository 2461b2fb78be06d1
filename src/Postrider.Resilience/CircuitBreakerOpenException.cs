namespace Postrider.Resilience;

/// <summary>Thrown when a call was rejected because a <see cref="CircuitBreaker"/> is not closed.</summary>
public sealed class CircuitBreakerOpenException : Exception
{
    // Windows' timers tick every 15.6 ms, Linux's coarse clock every 4 ms: a wait for the end of OpenTime may end this much early.
    private static readonly TimeSpan EarlyTimer = TimeSpan.FromMilliseconds(16);

    /// <summary>Creates the exception without details.</summary>
    public CircuitBreakerOpenException()
        : this(CircuitBreakerState.Open, retryAfter: null)
    {
    }

    /// <summary>Creates the exception with a message.</summary>
    /// <param name="message">The message.</param>
    public CircuitBreakerOpenException(string message)
        : base(message)
    {
    }

    /// <summary>Creates the exception with a message and a cause.</summary>
    /// <param name="message">The message.</param>
    /// <param name="innerException">The cause.</param>
    public CircuitBreakerOpenException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Creates the exception for a state.</summary>
    /// <param name="state">The breaker's state when it rejected the call.</param>
    /// <param name="retryAfter">How long until a call may pass; null when only a reset closes the breaker.</param>
    public CircuitBreakerOpenException(CircuitBreakerState state, TimeSpan? retryAfter)
        : base(retryAfter is { } wait ? $"The circuit breaker is {state}; the next call may pass in {wait}." : $"The circuit breaker is {state}.")
    {
        State = state;
        RetryAfter = retryAfter;
    }

    /// <summary>The breaker's state when it rejected the call.</summary>
    public CircuitBreakerState State { get; } = CircuitBreakerState.Open;

    /// <summary>How long to wait before the next call; null when unknown or when only a reset closes the breaker.</summary>
    public TimeSpan? RetryAfter { get; }

    /// <summary>Whether probes are about to decide, or have decided: the rejection says nothing about the service.</summary>
    internal bool IsUndecided
        => State is CircuitBreakerState.HalfOpen or CircuitBreakerState.Closed || (State is CircuitBreakerState.Open && RetryAfter <= EarlyTimer);
}
