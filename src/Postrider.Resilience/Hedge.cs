namespace Postrider.Resilience;

/// <summary>Starts another attempt if one has not completed in time; the first success counts, the others are cancelled.</summary>
/// <remarks>For calls that may run more than once. An operator runs the attempts in the item's slot, beside the concurrency limit, and counts
/// them as one; the item's timeout covers them all. When all attempts fail, the exception of the first is the result. A call that
/// blocks before its first await is not hedged. Immutable.</remarks>
public sealed record Hedge
{
    /// <summary>How long an attempt may take before the next is started in parallel; 1 s by default, zero starts all at once.</summary>
    public TimeSpan Delay { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Maximum number of concurrent attempts including the first; at least 2, the default.</summary>
    public int MaxAttempts { get; init; } = 2;

    /// <summary>Runs a call with hedging.</summary>
    /// <typeparam name="TState">Type of the callback's argument.</typeparam>
    /// <typeparam name="TResult">Type of the result.</typeparam>
    /// <param name="callback">Makes one attempt; called again, possibly while earlier attempts run, for each further one. Its token
    /// is cancelled when the attempt is no longer needed.</param>
    /// <param name="state">Passed to every attempt.</param>
    /// <param name="time">Clock of <see cref="Delay"/>; null for the system clock.</param>
    /// <param name="ct">Cancels every attempt.</param>
    /// <returns>The result of the first attempt that succeeds. A callback that completes at once costs no second attempt and no timer.</returns>
    /// <remarks>The call ends when every attempt has ended, so that no attempt outlives it; an attempt that observes its token ends
    /// as soon as it is cancelled.</remarks>
    public ValueTask<TResult> ExecuteAsync<TState, TResult>(
        Func<TState, CancellationToken, ValueTask<TResult>> callback, TState state, TimeProvider? time = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(callback);
        var losers = new CancellationTokenSource();
        var first = callback(state, losers.Token);
        if (!first.IsCompletedSuccessfully)
            return RaceAsync(callback, state, first, time ?? TimeProvider.System, losers, ct);
        losers.Dispose();
        return first;
    }

    /// <summary>Checks the values.</summary>
    /// <exception cref="ArgumentException">A value is out of range; the message names it.</exception>
    public void Validate()
    {
        if (Delay < TimeSpan.Zero)
            throw new ArgumentException($"Hedge.Delay is {Delay}; it must not be negative.");
        if (Delay > RateLimiter.MaxTimer)
            throw new ArgumentException($"Hedge.Delay is {Delay}; it must not exceed {RateLimiter.MaxTimer}, the limit of timers.");
        if (MaxAttempts < 2)
            throw new ArgumentException($"Hedge.MaxAttempts is {MaxAttempts}; it counts the first attempt and must be at least 2.");
    }

    private async ValueTask<TResult> RaceAsync<TState, TResult>(
        Func<TState, CancellationToken, ValueTask<TResult>> callback, TState state, ValueTask<TResult> first, TimeProvider time,
        CancellationTokenSource losers, CancellationToken ct)
    {
        var attempts = new List<Task<TResult>>(MaxAttempts) { first.AsTask() };
        var registration = ct.UnsafeRegister(static state => ((CancellationTokenSource)state!).Cancel(), losers);
        Task<TResult>? winner = null;
        try
        {
            while (winner is null && attempts.Exists(static attempt => !attempt.IsCompleted))
                winner = await NextAsync(callback, state, attempts, time, losers.Token).ConfigureAwait(false);
            winner ??= attempts.Find(static attempt => attempt.IsCompletedSuccessfully);
        }
        finally
        {
            // The other attempts are cancelled and awaited; their failures are ignored once one has succeeded.
            await losers.CancelAsync().ConfigureAwait(false);
            await ((Task)Task.WhenAll(attempts)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await registration.DisposeAsync().ConfigureAwait(false);
            losers.Dispose();
        }
        if (winner is null)
            ct.ThrowIfCancellationRequested();
        return await (winner ?? attempts[0]).ConfigureAwait(false);
    }

    // Waits until any attempt ends or the next one is due.
    private async Task<Task<TResult>?> NextAsync<TState, TResult>(
        Func<TState, CancellationToken, ValueTask<TResult>> callback, TState state, List<Task<TResult>> attempts, TimeProvider time, CancellationToken ct)
    {
        // The last of them may have ended since the caller checked.
        var running = attempts.FindAll(static attempt => !attempt.IsCompleted);
        if (running.Count == 0)
            return attempts.Find(static attempt => attempt.IsCompletedSuccessfully);
        if (attempts.Count < MaxAttempts && !ct.IsCancellationRequested)
        {
            using var delayOver = CancellationTokenSource.CreateLinkedTokenSource(ct);
            var delay = Task.Delay(Delay, time, delayOver.Token);
            await Task.WhenAny([.. running, delay]).ConfigureAwait(false);
            await delayOver.CancelAsync().ConfigureAwait(false);
            if (delay.IsCompletedSuccessfully)
                attempts.Add(Start(callback, state, ct));
        }
        else
        {
            await Task.WhenAny(running).ConfigureAwait(false);
        }
        return attempts.Find(static attempt => attempt.IsCompletedSuccessfully);
    }

    // An attempt that throws synchronously counts as failed: earlier attempts may still succeed.
    private static Task<TResult> Start<TState, TResult>(Func<TState, CancellationToken, ValueTask<TResult>> callback, TState state, CancellationToken ct)
    {
        try
        {
            return callback(state, ct).AsTask();
        }
        catch (Exception exception)
        {
            return Task.FromException<TResult>(exception);
        }
    }
}
