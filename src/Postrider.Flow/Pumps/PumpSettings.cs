using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;

namespace Postrider.Flow.Pumps;

/// <summary>The options in the form that pumps need; created once per options record. Immutable.</summary>
internal sealed class PumpSettings
{
    /// <summary>The options from which these were created.</summary>
    public required object Owner { get; init; }

    public required ConcurrencyLimit Limit { get; init; }

    public AdaptiveLimit? Adaptive { get; init; }

    /// <summary>The number of threads that may run bodies at once by cascade; null for the number of processors, more only if bodies block.</summary>
    public int? MaxThreads { get; init; }

    public bool StopOnError { get; init; }

    public bool CollectErrors { get; init; }

    public PartialResults Partial { get; init; }

    public bool Ordered { get; init; }

    public int Window { get; init; }

    public RetryPolicy? Retry { get; init; }

    public TimeSpan ItemTimeout { get; init; }

    public TimeSpan Deadline { get; init; }

    public RateLimiter? RateLimit { get; init; }

    public CircuitBreaker? CircuitBreaker { get; init; }

    public Bulkhead? Bulkhead { get; init; }

    public Hedge? Hedge { get; init; }

    public FlowHooks? Hooks { get; init; }

    public FlowControl? Control { get; init; }

    public FlowMeter? Meter { get; init; }

    public IProgress<FlowProgress>? Progress { get; init; }

    public TimeSpan ProgressInterval { get; init; }

    public required TimeProvider Time { get; init; }

    /// <summary>The typed part of the options, or null; the operator checks its type before it starts.</summary>
    public object? Typed { get; init; }

    /// <summary>True when the counters are read.</summary>
    public bool Counts => Progress is not null || Meter is not null || Control is not null;

    /// <summary>True if an array of results may have gaps.</summary>
    public bool MayLeaveGaps => !StopOnError || Deadline > TimeSpan.Zero || Control is not null;

    /// <summary>The exception of an operation that a failure hook stopped, besides the collected failures; null for none.</summary>
    public OperationCanceledException? EndOfStopped(long index, Exception failure)
        => CollectErrors || Partial == PartialResults.Keep
            ? null
            : new OperationCanceledException($"The failure hook stopped the operation at item {index}.", failure);
}
