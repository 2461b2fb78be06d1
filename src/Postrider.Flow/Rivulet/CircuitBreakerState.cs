namespace Postrider.Flow.Rivulet;

/// <summary>Rivulet's names for <see cref="Gates.BreakerState"/>.</summary>
public enum CircuitBreakerState
{
    /// <summary>Calls pass.</summary>
    Closed,

    /// <summary>Calls are refused.</summary>
    Open,

    /// <summary>Probes pass.</summary>
    HalfOpen,
}
