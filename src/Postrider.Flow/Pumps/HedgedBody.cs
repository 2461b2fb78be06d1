using Postrider.Flow.Gates;

namespace Postrider.Flow.Pumps;

/// <summary>A body with further attempts beside one that does not answer in time.</summary>
/// <remarks>A body that completes at once costs nothing more. The item ends when every attempt has: a loser that heeds its
/// token does so at once, and none outlives the operation.</remarks>
internal static class HedgedBody
{
    /// <summary>The body itself, or hedged when the settings say so.</summary>
    public static Func<TItem, CancellationToken, ValueTask<TResult>> For<TItem, TResult>(
        Func<TItem, CancellationToken, ValueTask<TResult>> body, PumpSettings settings)
        => settings.Hedge is { } hedge ? Wrap(body, hedge, settings.Time) : body;

    /// <summary>A body without a result, hedged.</summary>
    public static DelegateBody<TItem, Nothing> For<TItem>(Func<TItem, CancellationToken, ValueTask> body, PumpSettings settings)
    {
        return new DelegateBody<TItem, Nothing>(For<TItem, Nothing>(Call, settings));

        async ValueTask<Nothing> Call(TItem item, CancellationToken ct)
        {
            await body(item, ct).ConfigureAwait(false);
            return default;
        }
    }

    /// <summary>A body that is begun again when it takes long; the first to succeed counts, and the others are cancelled and waited for.</summary>
    public static Func<TItem, CancellationToken, ValueTask<TResult>> Wrap<TItem, TResult>(
        Func<TItem, CancellationToken, ValueTask<TResult>> body, Hedge hedge, TimeProvider time)
    {
        return (item, ct) =>
        {
            var losers = new CancellationTokenSource();
            var first = body(item, losers.Token);
            if (!first.IsCompletedSuccessfully)
                return RaceAsync(body, item, first, hedge, time, losers, ct);
            losers.Dispose();
            return first;
        };
    }

    private static async ValueTask<TResult> RaceAsync<TItem, TResult>(
        Func<TItem, CancellationToken, ValueTask<TResult>> body, TItem item, ValueTask<TResult> first, Hedge hedge,
        TimeProvider time, CancellationTokenSource losers, CancellationToken ct)
    {
        var attempts = new List<Task<TResult>>(hedge.MaxAttempts) { first.AsTask() };
        var registration = ct.UnsafeRegister(static state => ((CancellationTokenSource)state!).Cancel(), losers);
        Task<TResult>? winner = null;
        try
        {
            while (winner is null && attempts.Exists(static attempt => !attempt.IsCompleted))
                winner = await NextAsync(body, item, attempts, hedge, time, losers.Token).ConfigureAwait(false);
            winner ??= attempts.Find(static attempt => attempt.IsCompletedSuccessfully);
        }
        finally
        {
            // Whoever lost is told so, and waited for: its failure is beside the point once there is a winner.
            await losers.CancelAsync().ConfigureAwait(false);
            await ((Task)Task.WhenAll(attempts)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await registration.DisposeAsync().ConfigureAwait(false);
            losers.Dispose();
        }
        if (winner is null)
            ct.ThrowIfCancellationRequested();
        return await (winner ?? attempts[0]).ConfigureAwait(false);
    }

    // Waits for an end of any attempt or for the time of the next one.
    private static async Task<Task<TResult>?> NextAsync<TItem, TResult>(
        Func<TItem, CancellationToken, ValueTask<TResult>> body, TItem item, List<Task<TResult>> attempts, Hedge hedge,
        TimeProvider time, CancellationToken ct)
    {
        // The last of them may have ended since the caller looked.
        var running = attempts.FindAll(static attempt => !attempt.IsCompleted);
        if (running.Count == 0)
            return attempts.Find(static attempt => attempt.IsCompletedSuccessfully);
        if (attempts.Count < hedge.MaxAttempts && !ct.IsCancellationRequested)
        {
            using var delayOver = CancellationTokenSource.CreateLinkedTokenSource(ct);
            var delay = Task.Delay(hedge.Delay, time, delayOver.Token);
            await Task.WhenAny([.. running, delay]).ConfigureAwait(false);
            await delayOver.CancelAsync().ConfigureAwait(false);
            if (delay.IsCompletedSuccessfully)
                attempts.Add(Begin(body, item, ct));
        }
        else
        {
            await Task.WhenAny(running).ConfigureAwait(false);
        }
        return attempts.Find(static attempt => attempt.IsCompletedSuccessfully);
    }

    // An attempt that throws at once is one that failed: those before it may still win.
    private static Task<TResult> Begin<TItem, TResult>(Func<TItem, CancellationToken, ValueTask<TResult>> body, TItem item, CancellationToken ct)
    {
        try
        {
            return body(item, ct).AsTask();
        }
        catch (Exception thrown)
        {
            return Task.FromException<TResult>(thrown);
        }
    }
}
