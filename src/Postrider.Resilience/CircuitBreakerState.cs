namespace Postrider.Resilience;

/// <summary>Where a <see cref="CircuitBreaker"/> stands.</summary>
public enum CircuitBreakerState
{
    /// <summary>Calls pass.</summary>
    Closed,

    /// <summary>Calls are refused until the open time is over.</summary>
    Open,

    /// <summary>A few probes pass; they decide whether the breaker closes.</summary>
    HalfOpen,

    /// <summary>Calls are refused until somebody resets the breaker.</summary>
    Isolated,
}
