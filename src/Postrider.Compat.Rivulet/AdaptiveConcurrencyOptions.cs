namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's adaptive concurrency: an <see cref="Resilience.AdaptiveLimit"/> created for each call of an operator.</summary>
public sealed class AdaptiveConcurrencyOptions
{
    /// <summary>Rivulet's defaults.</summary>
    public AdaptiveConcurrencyOptions()
    {
    }

    /// <summary>Creates a copy.</summary>
    /// <param name="original">The options to copy; null for the defaults.</param>
    public AdaptiveConcurrencyOptions(AdaptiveConcurrencyOptions? original)
    {
        if (original is null)
            return;
        MinConcurrency = original.MinConcurrency;
        MaxConcurrency = original.MaxConcurrency;
        InitialConcurrency = original.InitialConcurrency;
        SampleInterval = original.SampleInterval;
        TargetLatency = original.TargetLatency;
        MinSuccessRate = original.MinSuccessRate;
        IncreaseStrategy = original.IncreaseStrategy;
        DecreaseStrategy = original.DecreaseStrategy;
        OnConcurrencyChange = original.OnConcurrencyChange;
    }

    /// <summary>The limit never falls below this.</summary>
    public int MinConcurrency { get; init; } = 1;

    /// <summary>The limit never rises above this.</summary>
    public int MaxConcurrency { get; init; } = Environment.ProcessorCount * 2;

    /// <summary>The initial limit; the minimum by default.</summary>
    public int? InitialConcurrency { get; init; }

    /// <summary>The limit is reconsidered at most this often.</summary>
    public TimeSpan SampleInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>A mean latency above this counts as overload.</summary>
    public TimeSpan? TargetLatency { get; init; }

    /// <summary>A smaller share of successes counts as overload.</summary>
    public double MinSuccessRate { get; init; } = 0.95;

    /// <summary>Ignored.</summary>
    public AdaptiveConcurrencyStrategy IncreaseStrategy { get; init; }

    /// <summary>Ignored.</summary>
    public AdaptiveConcurrencyStrategy DecreaseStrategy { get; init; }

    /// <summary>Called on every change; not awaited.</summary>
    public Func<int, int, ValueTask>? OnConcurrencyChange { get; init; }
}
