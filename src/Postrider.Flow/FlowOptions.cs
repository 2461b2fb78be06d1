using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Flow.Pumps;
using Postrider.Resilience;

namespace Postrider.Flow;

/// <summary>Options of an operator. One record for all operators; immutable, copy it with <c>with</c>.</summary>
/// <remarks>An option is off unless its documentation names another default. Gates in it (breaker, limits, budget, control, meter) are
/// objects: operators that use the same object share it. Options that depend on the item are in <see cref="FlowOptions{TItem}"/> and
/// <see cref="FlowOptions{TItem, TResult}"/>.</remarks>
public record FlowOptions
{
    private SettingsCache _cache;

    /// <summary>Items in flight: a number, or a <see cref="ConcurrencyLimit"/> that can be changed while operators run.
    /// The number of processors by default.</summary>
    public ConcurrencyLimit MaxConcurrency { get; init; } = Environment.ProcessorCount;

    /// <summary>A limit that adjusts itself; it replaces <see cref="MaxConcurrency"/>. An <see cref="AdaptiveLimit"/>
    /// given as <see cref="MaxConcurrency"/> is the same.</summary>
    public AdaptiveLimit? Adaptive { get; init; }

    /// <summary>Maximum number of threads that run bodies in parallel; by default the number of processors, and up to the
    /// concurrency if bodies block. A body that awaits continues on the thread where its wait ends.</summary>
    public int? MaxThreads { get; init; }

    /// <summary>The order of a stream's results; by default <see cref="ResultOrder.Completion"/>.</summary>
    public ResultOrder Order { get; init; }

    /// <summary>How many items may be claimed beyond those that the reader of a stream has taken, and how many may wait for an earlier
    /// item of their key; 1,024 by default.</summary>
    public int Window { get; init; } = 1024;

    /// <summary>What happens to the operation when an item has finally failed; by default <see cref="ErrorMode.Stop"/>.</summary>
    public ErrorMode Errors { get; init; }

    /// <summary>How an operation ends that was cancelled or stopped by <see cref="FlowHooks.OnFailure"/> when <see cref="Errors"/> is not
    /// <see cref="ErrorMode.Stop"/>; by default <see cref="PartialResults.Throw"/>.</summary>
    public PartialResults Partial { get; init; }

    /// <summary>Retries failed items; by default every failure is final.</summary>
    public RetryPolicy? Retry { get; init; }

    /// <summary>The time limit of one attempt; after it, its token is cancelled, and the item fails with <see cref="TimeoutException"/> when
    /// its body ends. Zero means no limit.</summary>
    public TimeSpan ItemTimeout { get; init; }

    /// <summary>The time limit of the whole operation. After it, no item is started and the items in flight are cancelled:
    /// <see cref="ErrorMode.Stop"/> throws <see cref="TimeoutException"/>, the other modes return the results so far. Zero means no limit.</summary>
    public TimeSpan Deadline { get; init; }

    /// <summary>A token bucket, one permit per attempt.</summary>
    public RateLimiter? RateLimit { get; init; }

    /// <summary>Rejects attempts while a service is down; rejected items fail with <see cref="CircuitBreakerOpenException"/>.</summary>
    public CircuitBreaker? CircuitBreaker { get; init; }

    /// <summary>A limit on calls, bytes or any other weight in flight, shared with other operations.</summary>
    public Bulkhead? Bulkhead { get; init; }

    /// <summary>Starts another attempt if one has not completed in time.</summary>
    public Hedge? Hedge { get; init; }

    /// <summary>Callbacks at the stages of an item's life.</summary>
    public FlowHooks? Hooks { get; init; }

    /// <summary>Pauses, resumes and drains the operation from outside. In a pipeline it is allowed on the first stage only.</summary>
    public FlowControl? Control { get; init; }

    /// <summary>Publishes the counters through <see cref="System.Diagnostics.Metrics.Meter"/>.</summary>
    public FlowMeter? Meter { get; init; }

    /// <summary>Receives progress reports, at an interval and once at the end.</summary>
    public IProgress<FlowProgress>? Progress { get; init; }

    /// <summary>Expected number of items of a source that does not know its count, so that <see cref="Progress"/> has a total, a
    /// percentage and a remaining time; batches for a batch operator. A source that knows its count overrides it.</summary>
    public long? ExpectedItems { get; init; }

    /// <summary>The time between two reports; 1 s by default.</summary>
    public TimeSpan ProgressInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>The clock and timers of everything in this record that has none of its own (breakers, rate limits and adaptive limits
    /// have). The system clock by default.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    internal static FlowOptions Default { get; } = new();

    internal PumpSettings Settings
    {
        get
        {
            // A copy made by 'with' contains the cache of its original: the owner shows it.
            var settings = _cache.Settings;
            if (settings is not null && ReferenceEquals(settings.Owner, this))
                return settings;
            Validate();
            settings = MakeSettings();
            _cache = new SettingsCache(settings);
            return settings;
        }
    }

    private protected virtual object? ItemParts => null;

    private protected virtual void Validate()
    {
        if (MaxConcurrency is null)
            throw new ArgumentException("FlowOptions.MaxConcurrency is null; it must be a number or a ConcurrencyLimit.");
        if (MaxThreads < 1)
            throw new ArgumentException($"FlowOptions.MaxThreads is {MaxThreads}; it must be at least 1.");
        if (Window is < 1 or > 1 << 24)
            throw new ArgumentException($"FlowOptions.Window is {Window}; it must be between 1 and {1 << 24}.");
        if (!Enum.IsDefined(Order))
            throw new ArgumentException($"FlowOptions.Order is {(int)Order}, which is not a ResultOrder.");
        if (!Enum.IsDefined(Errors))
            throw new ArgumentException($"FlowOptions.Errors is {(int)Errors}, which is not an ErrorMode.");
        if (!Enum.IsDefined(Partial))
            throw new ArgumentException($"FlowOptions.Partial is {(int)Partial}, which is not a PartialResults value.");
        CheckTime(ItemTimeout, nameof(ItemTimeout));
        CheckTime(Deadline, nameof(Deadline));
        if (ExpectedItems < 0)
            throw new ArgumentException($"FlowOptions.ExpectedItems is {ExpectedItems}; it must not be negative.");
        if (MaxConcurrency is AdaptiveLimit && Adaptive is not null && !ReferenceEquals(MaxConcurrency, Adaptive))
            throw new ArgumentException("FlowOptions.MaxConcurrency is an AdaptiveLimit and Adaptive is another one; set only Adaptive.");
        if (ProgressInterval <= TimeSpan.Zero || ProgressInterval > Timers.MaxDelay)
            throw new ArgumentException($"FlowOptions.ProgressInterval is {ProgressInterval}; it must be above zero and at most {Timers.MaxDelay}.");
        if (TimeProvider is null)
            throw new ArgumentException("FlowOptions.TimeProvider is null.");
        Retry?.Validate();
        Hedge?.Validate();
    }

    private static void CheckTime(TimeSpan time, string name)
    {
        if (time < TimeSpan.Zero || time > Timers.MaxDelay)
            throw new ArgumentException($"FlowOptions.{name} is {time}; it must be between zero, which means no limit, and {Timers.MaxDelay}.");
    }

    private PumpSettings MakeSettings() => new()
    {
        Owner = this,
        Limit = MaxConcurrency,
        Adaptive = Adaptive ?? MaxConcurrency as AdaptiveLimit,
        MaxThreads = MaxThreads,
        StopOnError = Errors == ErrorMode.Stop,
        CollectErrors = Errors == ErrorMode.Collect,
        Partial = Partial,
        Ordered = Order == ResultOrder.Source,
        Window = Window,
        Retry = Retry,
        ItemTimeout = ItemTimeout,
        Deadline = Deadline,
        RateLimit = RateLimit,
        CircuitBreaker = CircuitBreaker,
        Bulkhead = Bulkhead,
        Hedge = Hedge,
        Hooks = Hooks,
        Control = Control,
        Meter = Meter,
        Progress = Progress is not null && ExpectedItems is { } expected ? new ExpectedProgress(Progress, expected) : Progress,
        ProgressInterval = ProgressInterval,
        Time = TimeProvider,
        Typed = ItemParts,
    };

    // Equal to every other: derived settings do not affect the equality of options.
    private readonly struct SettingsCache(PumpSettings settings) : IEquatable<SettingsCache>
    {
        public PumpSettings? Settings { get; } = settings;

        public bool Equals(SettingsCache other) => true;

        public override bool Equals(object? obj) => obj is SettingsCache;

        public override int GetHashCode() => 0;
    }
}
