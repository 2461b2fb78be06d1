namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's circuit breaker: a <see cref="Resilience.CircuitBreaker"/> created for each call of an operator.</summary>
public sealed class CircuitBreakerOptions
{
    /// <summary>Rivulet's defaults.</summary>
    public CircuitBreakerOptions()
    {
    }

    /// <summary>Creates a copy.</summary>
    /// <param name="original">The options to copy; null for the defaults.</param>
    public CircuitBreakerOptions(CircuitBreakerOptions? original)
    {
        if (original is null)
            return;
        FailureThreshold = original.FailureThreshold;
        SuccessThreshold = original.SuccessThreshold;
        OpenTimeout = original.OpenTimeout;
        SamplingDuration = original.SamplingDuration;
        OnStateChange = original.OnStateChange;
    }

    /// <summary>Failures in a row that open it.</summary>
    public int FailureThreshold { get; init; } = 5;

    /// <summary>Probes that must succeed before it closes.</summary>
    public int SuccessThreshold { get; init; } = 2;

    /// <summary>How long it stays open.</summary>
    public TimeSpan OpenTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Ignored: consecutive failures are counted.</summary>
    public TimeSpan? SamplingDuration { get; init; }

    /// <summary>Called on every change; not awaited.</summary>
    public Func<CircuitBreakerState, CircuitBreakerState, ValueTask>? OnStateChange { get; init; }
}
