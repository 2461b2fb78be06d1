namespace Postrider.Resilience;

/// <summary>State of a <see cref="CircuitBreaker"/>.</summary>
public enum CircuitBreakerState
{
    /// <summary>Calls pass.</summary>
    Closed,

    /// <summary>Calls are rejected until the open time is over.</summary>
    Open,

    /// <summary>A few probes are admitted; they decide whether the breaker closes.</summary>
    HalfOpen,

    /// <summary>Calls are rejected until the breaker is reset.</summary>
    Isolated,
}
