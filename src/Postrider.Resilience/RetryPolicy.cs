namespace Postrider.Resilience;

/// <summary>Which failures are retried, how often and after what delay.</summary>
/// <remarks>Immutable and thread-safe; one policy may serve any number of operators and calls.</remarks>
public sealed record RetryPolicy
{
    /// <summary>Total number of attempts including the first; at least 1, 3 by default. Attempts that a breaker rejected count too, but
    /// a rejection while it is half open (or less than 16 ms before) is never the last: the policy waits for the verdict of its probes.</summary>
    public int MaxAttempts { get; init; } = 3;

    /// <summary>How the delay grows; by default <see cref="Backoff.ExponentialJitter"/>.</summary>
    public Backoff Backoff { get; init; } = Backoff.ExponentialJitter;

    /// <summary>The delay that the backoff starts from; 100 ms by default.</summary>
    public TimeSpan BaseDelay { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>Maximum delay, unless <see cref="DelayHint"/> returns a longer one; 5 minutes by default.</summary>
    public TimeSpan MaxDelay { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>Decides which exceptions are retried; by default every one except <see cref="OperationCanceledException"/>.</summary>
    public Func<Exception, bool>? Handle { get; init; }

    /// <summary>A delay requested by the failure itself, such as HTTP's Retry-After; the longer of this and the backoff applies.</summary>
    public Func<Exception, TimeSpan?>? DelayHint { get; init; }

    /// <summary>A budget, shared by everything that uses the same object.</summary>
    public RetryBudget? Budget { get; init; }

    /// <summary>Keeps the item's concurrency slot during the backoff. Off by default: another item runs in the meantime.</summary>
    public bool HoldSlot { get; init; }

    /// <summary>The random source of the jitter.</summary>
    public Random Random { get; init; } = Random.Shared;

    /// <summary>Decides whether one failure is retried.</summary>
    /// <param name="failure">The exception of the attempt.</param>
    /// <param name="attempt">The number of the attempt that failed, from 1.</param>
    /// <param name="previousDelay">The delay before that attempt; the decorrelated backoff grows from it.</param>
    /// <param name="delay">How long to wait before the next attempt.</param>
    /// <returns>False when the failure is final.</returns>
    /// <remarks>After a rejection by a breaker the delay is that of the breaker (<see cref="CircuitBreakerOpenException.RetryAfter"/>)
    /// or <see cref="DelayHint"/>, without a backoff, and takes nothing from the budget.</remarks>
    public bool TryPlan(Exception failure, int attempt, TimeSpan previousDelay, out TimeSpan delay)
    {
        ArgumentNullException.ThrowIfNull(failure);
        delay = default;
        var refusal = failure as CircuitBreakerOpenException;
        if (attempt >= MaxAttempts && refusal is not { IsUndecided: true })
            return false;
        if (Handle is null ? failure is OperationCanceledException : !Handle(failure))
            return false;
        // A call that a breaker rejected has cost the service nothing: the budget is for retries that reach it.
        if (Budget is not null && refusal is null && !Budget.TryTake())
            return false;
        delay = refusal?.RetryAfter ?? DelayAfter(attempt, previousDelay);
        var hint = DelayHint?.Invoke(failure);
        if (hint > delay)
            delay = hint.Value;
        return true;
    }

    /// <summary>Computes the backoff alone.</summary>
    /// <param name="attempt">The number of the attempt that failed, from 1.</param>
    /// <param name="previousDelay">The delay before that attempt.</param>
    /// <returns>Between zero and <see cref="MaxDelay"/>.</returns>
    public TimeSpan DelayAfter(int attempt, TimeSpan previousDelay)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(attempt, 1);
        var linear = BaseDelay.Ticks * (double)attempt;
        var exponential = BaseDelay.Ticks * Math.Pow(2, Math.Min(attempt - 1, 62));
        var ticks = Backoff switch
        {
            Backoff.Constant => BaseDelay.Ticks,
            Backoff.Linear => linear,
            Backoff.Exponential => exponential,
            Backoff.LinearJitter => Draw(0, linear),
            Backoff.ExponentialJitter => Draw(0, Math.Min(exponential, MaxDelay.Ticks)),
            _ => Draw(BaseDelay.Ticks, Math.Max(BaseDelay.Ticks, previousDelay.Ticks * 3.0)),
        };
        return TimeSpan.FromTicks((long)Math.Min(ticks, MaxDelay.Ticks));
    }

    /// <summary>Checks the values.</summary>
    /// <exception cref="ArgumentException">A value is out of range or contradicts another; the message names it.</exception>
    public void Validate()
    {
        if (MaxAttempts < 1)
            throw new ArgumentException($"RetryPolicy.MaxAttempts is {MaxAttempts}; it counts the first attempt and must be at least 1.");
        if (BaseDelay < TimeSpan.Zero)
            throw new ArgumentException($"RetryPolicy.BaseDelay is {BaseDelay}; it must not be negative.");
        if (MaxDelay < BaseDelay)
            throw new ArgumentException($"RetryPolicy.MaxDelay is {MaxDelay}; it must not be below BaseDelay {BaseDelay}.");
        if (MaxDelay.TotalMilliseconds > int.MaxValue)
            throw new ArgumentException($"RetryPolicy.MaxDelay is {MaxDelay}; it must not exceed {TimeSpan.FromMilliseconds(int.MaxValue)}, the limit of timers.");
        if (!Enum.IsDefined(Backoff))
            throw new ArgumentException($"RetryPolicy.Backoff is {(int)Backoff}, which is not a Backoff.");
        if (Random is null)
            throw new ArgumentException("RetryPolicy.Random is null.");
    }

    private double Draw(double from, double to) => from + (Random.NextDouble() * (to - from));
}
