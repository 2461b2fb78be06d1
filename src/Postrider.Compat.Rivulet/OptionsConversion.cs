using Postrider.Flow;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;

namespace Postrider.Compat.Rivulet;

/// <summary>Converts Rivulet's options to Postrider's.</summary>
public static class OptionsConversion
{
    /// <summary>The options of one call; limits and breakers in them are new, as with Rivulet.</summary>
    /// <typeparam name="TItem">The source's items.</typeparam>
    /// <typeparam name="TResult">The body's results.</typeparam>
    /// <param name="options">Rivulet's options; null for its defaults.</param>
    /// <exception cref="ArgumentException">An option is invalid; the message uses Postrider's name for it.</exception>
    public static FlowOptions<TItem, TResult> ToFlowOptions<TItem, TResult>(this ParallelOptionsRivulet? options)
    {
        options ??= new ParallelOptionsRivulet();
        var progress = options.Progress is null && options.Metrics is null ? null : new RivuletProgress(options.Progress, options.Metrics);
        var converted = new FlowOptions<TItem, TResult>
        {
            MaxConcurrency = options.MaxDegreeOfParallelism,
            Adaptive = Adaptive(options.AdaptiveConcurrency),
            Errors = options.ErrorMode switch
            {
                ErrorMode.FailFast => Flow.ErrorMode.Stop,
                ErrorMode.CollectAndContinue => Flow.ErrorMode.Collect,
                _ => Flow.ErrorMode.Skip,
            },
            Order = options.OrderedOutput ? ResultOrder.Source : ResultOrder.Completion,
            Window = options.ChannelCapacity,
            ItemTimeout = options.PerItemTimeout ?? TimeSpan.Zero,
            Retry = Retry(options),
            RateLimit = options.RateLimit is { } rate ? new RateLimiter(rate.TokensPerSecond / rate.TokensPerOperation, rate.BurstCapacity / rate.TokensPerOperation) : null,
            CircuitBreaker = CircuitBreaker(options.CircuitBreaker),
            Hooks = Hooks(options),
            Progress = progress,
        };
        if (progress is not null)
            converted = converted with { ProgressInterval = progress.Interval };
        if (options.OnFallback is { } fallback)
            converted = converted with { Fallback = (_, failure) => Result<TResult>(fallback((int)failure.Index, failure.Exception)) };
        return converted;
    }

    private static TResult Result<TResult>(object? made) => made switch
    {
        TResult result => result,
        null when default(TResult) is null => default!,
        _ => throw new InvalidCastException($"OnFallback returned {made?.GetType().Name ?? "null"}, but the operator's results are {typeof(TResult).Name}."),
    };

    // Rivulet ends a timed-out item with a cancellation, and predicates written for it expect that.
    private static Func<Exception, bool>? Handle(ParallelOptionsRivulet options)
    {
        if (options.IsTransient is not { } isTransient || options.PerItemTimeout is null)
            return options.IsTransient;
        return failure => isTransient(failure)
            || (failure is TimeoutException { InnerException: OperationCanceledException cancelled }
                && isTransient(cancelled as TaskCanceledException ?? new TaskCanceledException(failure.Message, cancelled)));
    }

    private static RetryPolicy? Retry(ParallelOptionsRivulet options) => options.MaxRetries <= 0 ? null : new RetryPolicy
    {
        MaxAttempts = options.MaxRetries + 1,
        BaseDelay = options.BaseDelay,
        Handle = Handle(options),
        Backoff = options.BackoffStrategy switch
        {
            BackoffStrategy.Exponential => Backoff.Exponential,
            BackoffStrategy.ExponentialJitter => Backoff.ExponentialJitter,
            BackoffStrategy.DecorrelatedJitter => Backoff.DecorrelatedJitter,
            BackoffStrategy.Linear => Backoff.Linear,
            _ => Backoff.LinearJitter,
        },
    };

    private static CircuitBreaker? CircuitBreaker(CircuitBreakerOptions? options) => options is null ? null : new CircuitBreaker(new Resilience.CircuitBreakerOptions
    {
        FailureThreshold = options.FailureThreshold,
        SuccessThreshold = options.SuccessThreshold,
        OpenTime = options.OpenTimeout,
        OnStateChange = options.OnStateChange is { } told ? (before, after) => Hook.Run("CircuitBreakerOptions.OnStateChange", told(State(before), State(after))) : null,
    });

    private static CircuitBreakerState State(Resilience.CircuitBreakerState state) => state switch
    {
        Resilience.CircuitBreakerState.Closed => CircuitBreakerState.Closed,
        Resilience.CircuitBreakerState.HalfOpen => CircuitBreakerState.HalfOpen,
        _ => CircuitBreakerState.Open,
    };

    private static AdaptiveLimit? Adaptive(AdaptiveConcurrencyOptions? options) => options is null ? null : new AdaptiveLimit(new AdaptiveLimitOptions
    {
        // Without a target AIMD can only increase, as in Rivulet; Vegas detects the queue at the service.
        Algorithm = options.TargetLatency is null ? AdaptiveAlgorithm.Vegas : AdaptiveAlgorithm.Aimd,
        MinConcurrency = options.MinConcurrency,
        MaxConcurrency = options.MaxConcurrency,
        InitialConcurrency = options.InitialConcurrency ?? options.MinConcurrency,
        Window = options.SampleInterval,
        TargetLatency = options.TargetLatency,
        MinSuccessRate = options.MinSuccessRate,
        OnChange = options.OnConcurrencyChange is { } told ? (before, after) => Hook.Run("AdaptiveConcurrencyOptions.OnConcurrencyChange", told(before, after)) : null,
    });

    private static FlowHooks? Hooks(ParallelOptionsRivulet options)
    {
        if (options is { OnStartItemAsync: null, OnCompleteItemAsync: null, OnRetryAsync: null, OnErrorAsync: null, OnThrottleAsync: null, OnDrainAsync: null })
            return null;
        return new FlowHooks
        {
            OnStart = options.OnStartItemAsync is { } start ? index => start((int)index) : null,
            OnSuccess = options.OnCompleteItemAsync is { } complete ? index => complete((int)index) : null,
            OnRetry = options.OnRetryAsync is { } retry ? (index, attempt, failure, _) => retry((int)index, attempt, failure) : null,
            OnFailure = options.OnErrorAsync is { } error ? failure => error((int)failure.Index, failure.Exception) : null,
            OnThrottle = options.OnThrottleAsync is { } throttle ? (index, _) => Hook.Run("ParallelOptionsRivulet.OnThrottleAsync", throttle((int)index)) : null,
            OnDrain = options.OnDrainAsync is { } drain ? ended => Hook.Run("ParallelOptionsRivulet.OnDrainAsync", drain((int)ended)) : null,
        };
    }
}
