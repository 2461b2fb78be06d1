namespace Postrider.Resilience;

/// <summary>When a <see cref="CircuitBreaker"/> opens and how it closes again.</summary>
/// <remarks>Immutable. Two rules can be combined: consecutive failures, and a ratio over a window.</remarks>
public sealed record CircuitBreakerOptions
{
    /// <summary>Number of consecutive failures that opens the breaker, 5 by default; 0 disables this rule.</summary>
    public int FailureThreshold { get; init; } = 5;

    /// <summary>Share of failed calls in the window that opens the breaker, above 0 and up to 1; 0, the default, disables this rule.
    /// <see cref="FailureThreshold"/> stays active as well: set that to 0 to use the ratio alone.</summary>
    public double FailureRatio { get; init; }

    /// <summary>The window of <see cref="FailureRatio"/> and <see cref="SlowCallRatio"/>; 30 s by default.</summary>
    public TimeSpan Window { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Minimum number of calls in the window before a ratio counts; 20 by default.</summary>
    public int MinimumCalls { get; init; } = 20;

    /// <summary>A call that takes longer is slow; zero, the default, disables this rule.</summary>
    public TimeSpan SlowCall { get; init; }

    /// <summary>Share of slow calls in the window that opens the breaker, above 0 and up to 1; 0.5 by default.</summary>
    public double SlowCallRatio { get; init; } = 0.5;

    /// <summary>How long the breaker stays open before it admits probes; 30 s by default.</summary>
    public TimeSpan OpenTime { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Maximum number of concurrent probes while half open; 1 by default.</summary>
    public int Probes { get; init; } = 1;

    /// <summary>Number of consecutive successful probes that closes the breaker; 2 by default.</summary>
    public int SuccessThreshold { get; init; } = 2;

    /// <summary>Decides which exceptions count as failures; every one by default.</summary>
    public Func<Exception, bool>? Handle { get; init; }

    /// <summary>Called on every change, in order, with the state before and after. Called outside any lock, by one thread at a time.</summary>
    public Action<CircuitBreakerState, CircuitBreakerState>? OnStateChange { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Checks the values.</summary>
    /// <exception cref="ArgumentException">A value is out of range or contradicts another; the message names it.</exception>
    public void Validate()
    {
        if (FailureThreshold < 0)
            throw new ArgumentException($"CircuitBreakerOptions.FailureThreshold is {FailureThreshold}; it must not be negative.");
        if (FailureRatio is not (>= 0 and <= 1))
            throw new ArgumentException($"CircuitBreakerOptions.FailureRatio is {FailureRatio}; it must be between 0 and 1.");
        if (SlowCallRatio is not (> 0 and <= 1))
            throw new ArgumentException($"CircuitBreakerOptions.SlowCallRatio is {SlowCallRatio}; it must be above 0 and at most 1.");
        if (SlowCall < TimeSpan.Zero)
            throw new ArgumentException($"CircuitBreakerOptions.SlowCall is {SlowCall}; it must not be negative; zero turns the rule off.");
        if (FailureThreshold == 0 && FailureRatio == 0 && SlowCall == TimeSpan.Zero)
            throw new ArgumentException("CircuitBreakerOptions has no rule: set FailureThreshold, FailureRatio or SlowCall.");
        if (Window <= TimeSpan.Zero)
            throw new ArgumentException($"CircuitBreakerOptions.Window is {Window}; it must be above zero.");
        if (OpenTime <= TimeSpan.Zero)
            throw new ArgumentException($"CircuitBreakerOptions.OpenTime is {OpenTime}; it must be above zero.");
        if (MinimumCalls < 1)
            throw new ArgumentException($"CircuitBreakerOptions.MinimumCalls is {MinimumCalls}; it must be at least 1.");
        if (Probes < 1)
            throw new ArgumentException($"CircuitBreakerOptions.Probes is {Probes}; it must be at least 1.");
        if (SuccessThreshold < 1)
            throw new ArgumentException($"CircuitBreakerOptions.SuccessThreshold is {SuccessThreshold}; it must be at least 1.");
        if (TimeProvider is null)
            throw new ArgumentException($"CircuitBreakerOptions.TimeProvider is null.");
    }
}
