namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's names for <see cref="Resilience.CircuitBreakerState"/>.</summary>
public enum CircuitBreakerState
{
    /// <summary>Calls pass.</summary>
    Closed,

    /// <summary>Calls are rejected.</summary>
    Open,

    /// <summary>Probes pass.</summary>
    HalfOpen,
}
