using Postrider.Flow;

namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's options with Rivulet's members; converted to <see cref="FlowOptions"/> at each call.</summary>
public sealed class ParallelOptionsRivulet
{
    /// <summary>Rivulet's defaults.</summary>
    public ParallelOptionsRivulet()
    {
    }

    /// <summary>Creates a copy.</summary>
    /// <param name="original">The options to copy; null for the defaults.</param>
    public ParallelOptionsRivulet(ParallelOptionsRivulet? original)
    {
        if (original is null)
            return;
        MaxDegreeOfParallelism = original.MaxDegreeOfParallelism;
        PerItemTimeout = original.PerItemTimeout;
        ErrorMode = original.ErrorMode;
        OnErrorAsync = original.OnErrorAsync;
        OnStartItemAsync = original.OnStartItemAsync;
        OnCompleteItemAsync = original.OnCompleteItemAsync;
        OnRetryAsync = original.OnRetryAsync;
        OnThrottleAsync = original.OnThrottleAsync;
        OnDrainAsync = original.OnDrainAsync;
        IsTransient = original.IsTransient;
        MaxRetries = original.MaxRetries;
        BaseDelay = original.BaseDelay;
        BackoffStrategy = original.BackoffStrategy;
        OnFallback = original.OnFallback;
        ChannelCapacity = original.ChannelCapacity;
        OrderedOutput = original.OrderedOutput;
        Progress = original.Progress;
        Metrics = original.Metrics;
        RateLimit = original.RateLimit;
        CircuitBreaker = original.CircuitBreaker;
        AdaptiveConcurrency = original.AdaptiveConcurrency;
    }

    /// <summary>Items in flight.</summary>
    public int MaxDegreeOfParallelism { get; init; } = Environment.ProcessorCount;

    /// <summary>The time limit of one attempt, after which it fails with <see cref="TimeoutException"/>.</summary>
    public TimeSpan? PerItemTimeout { get; init; }

    /// <summary>What happens to the operation when an item fails.</summary>
    public ErrorMode ErrorMode { get; init; }

    /// <summary>After an item has finally failed; false stops the operation.</summary>
    public Func<int, Exception, ValueTask<bool>>? OnErrorAsync { get; init; }

    /// <summary>Before an item's first attempt.</summary>
    public Func<int, ValueTask>? OnStartItemAsync { get; init; }

    /// <summary>After an item has completed with a value.</summary>
    public Func<int, ValueTask>? OnCompleteItemAsync { get; init; }

    /// <summary>Before a backoff.</summary>
    public Func<int, int, Exception, ValueTask>? OnRetryAsync { get; init; }

    /// <summary>Called when an item waits for the rate limit; not awaited.</summary>
    public Func<int, ValueTask>? OnThrottleAsync { get; init; }

    /// <summary>Called when the operation is about to end; not awaited.</summary>
    public Func<int, ValueTask>? OnDrainAsync { get; init; }

    /// <summary>Decides which exceptions are retried; by default every one except a cancellation. After <see cref="PerItemTimeout"/> it
    /// is called with the <see cref="TimeoutException"/> and, when it declines, with a <see cref="TaskCanceledException"/>.</summary>
    public Func<Exception, bool>? IsTransient { get; init; }

    /// <summary>Attempts beyond the first.</summary>
    public int MaxRetries { get; init; }

    /// <summary>The delay that the backoff starts from.</summary>
    public TimeSpan BaseDelay { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>How the delay grows.</summary>
    public BackoffStrategy BackoffStrategy { get; init; }

    /// <summary>Creates the result of an item that has finally failed. A result that is not of the operator's type fails the item with an
    /// <see cref="AggregateException"/> of the body's exception and an <see cref="InvalidCastException"/>.</summary>
    public Func<int, Exception, object?>? OnFallback { get; init; }

    /// <summary>Items that may run ahead of a stream's reader.</summary>
    public int ChannelCapacity { get; init; } = 1024;

    /// <summary>A stream's results in the source's order.</summary>
    public bool OrderedOutput { get; init; }

    /// <summary>Progress reports.</summary>
    public ProgressOptions? Progress { get; init; }

    /// <summary>Samples of the counters.</summary>
    public MetricsOptions? Metrics { get; init; }

    /// <summary>A token bucket.</summary>
    public RateLimitOptions? RateLimit { get; init; }

    /// <summary>A circuit breaker.</summary>
    public CircuitBreakerOptions? CircuitBreaker { get; init; }

    /// <summary>A limit that adjusts itself.</summary>
    public AdaptiveConcurrencyOptions? AdaptiveConcurrency { get; init; }
}
