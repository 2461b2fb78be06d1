namespace Postrider.Resilience;

/// <summary>Options of an <see cref="AdaptiveLimit"/>. Immutable.</summary>
public sealed record AdaptiveLimitOptions
{
    /// <summary>How latencies are read; by default <see cref="AdaptiveAlgorithm.Vegas"/>.</summary>
    public AdaptiveAlgorithm Algorithm { get; init; } = AdaptiveAlgorithm.Vegas;

    /// <summary>The limit never falls below this; 1 by default.</summary>
    public int MinConcurrency { get; init; } = 1;

    /// <summary>The limit never rises above this; 64 by default.</summary>
    public int MaxConcurrency { get; init; } = 64;

    /// <summary>Where the search starts, 8 by default, clamped between <see cref="MinConcurrency"/> and <see cref="MaxConcurrency"/>; it
    /// doubles from there until the latency responds.</summary>
    public int InitialConcurrency { get; init; } = 8;

    /// <summary>The limit is reconsidered at most this often; every 20 ms by default.</summary>
    public TimeSpan Window { get; init; } = TimeSpan.FromMilliseconds(20);

    /// <summary>Minimum number of calls in a window; 8 by default.</summary>
    public int MinimumSamples { get; init; } = 8;

    /// <summary>A mean latency above this counts as overload, unless a smaller limit would not improve it.</summary>
    public TimeSpan? TargetLatency { get; init; }

    /// <summary>A smaller share of successes than this, 0.95 by default, counts as overload, unless a smaller limit costs throughput without
    /// making failures rarer.</summary>
    public double MinSuccessRate { get; init; } = 0.95;

    /// <summary>Decides which exceptions count as failures of the service; every one by default. Others count as successes.</summary>
    public Func<Exception, bool>? Handle { get; init; }

    /// <summary>Called on every change with the limit before and after. Called on the thread of the call that caused it.</summary>
    public Action<int, int>? OnChange { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Checks the values.</summary>
    /// <exception cref="ArgumentException">A value is out of range or contradicts another; the message names it.</exception>
    public void Validate()
    {
        if (!Enum.IsDefined(Algorithm))
            throw new ArgumentException($"AdaptiveLimitOptions.Algorithm is {(int)Algorithm}, which is not an AdaptiveAlgorithm.");
        if (MinConcurrency < 1)
            throw new ArgumentException($"AdaptiveLimitOptions.MinConcurrency is {MinConcurrency}; it must be at least 1.");
        if (MaxConcurrency < MinConcurrency)
            throw new ArgumentException($"AdaptiveLimitOptions.MaxConcurrency is {MaxConcurrency}; it must not be below MinConcurrency {MinConcurrency}.");
        if (InitialConcurrency < 1)
            throw new ArgumentException($"AdaptiveLimitOptions.InitialConcurrency is {InitialConcurrency}; it must be at least 1.");
        if (Window <= TimeSpan.Zero)
            throw new ArgumentException($"AdaptiveLimitOptions.Window is {Window}; it must be above zero.");
        if (MinimumSamples < 1)
            throw new ArgumentException($"AdaptiveLimitOptions.MinimumSamples is {MinimumSamples}; it must be at least 1.");
        if (TargetLatency <= TimeSpan.Zero)
            throw new ArgumentException($"AdaptiveLimitOptions.TargetLatency is {TargetLatency}; it must be above zero.");
        if (MinSuccessRate is not (>= 0 and <= 1))
            throw new ArgumentException($"AdaptiveLimitOptions.MinSuccessRate is {MinSuccessRate}; it must be between 0 and 1.");
        if (TimeProvider is null)
            throw new ArgumentException($"AdaptiveLimitOptions.TimeProvider is null.");
    }
}
