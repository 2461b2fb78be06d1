using Postrider.Resilience;

namespace Postrider.Transports;

/// <summary>Repeats the handling of messages that conflicted with another one.</summary>
internal static class Conflicts
{
    // 50 messages for one row over two processes were repeated 146 to 201 times in total; 100 repetitions of one message are no longer a race.
    private static readonly RetryPolicy s_policy = new()
    {
        MaxAttempts = 100,
        BaseDelay = TimeSpan.FromMilliseconds(2),
        MaxDelay = TimeSpan.FromMilliseconds(100),
        Handle = static failure => failure is PostriderException { Error: PostriderError.Conflict },
    };

    /// <summary>Waits before a handling is repeated.</summary>
    /// <param name="failure">Why the handling failed.</param>
    /// <param name="conflicts">The number of conflicts, including this one.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>False if the failure is not a conflict, or there were too many: then it is a failure like any other.</returns>
    internal static async ValueTask<bool> WaitAsync(Exception failure, int conflicts, CancellationToken ct)
    {
        if (!s_policy.TryPlan(failure, conflicts, TimeSpan.Zero, out var delay))
            return false;
        // Uses the system clock: the delay is about processors, not about the application's time.
        await Task.Delay(delay, TimeProvider.System, ct).ConfigureAwait(false);
        return true;
    }
}
