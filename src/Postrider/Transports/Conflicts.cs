using Postrider.Resilience;

namespace Postrider.Transports;

/// <summary>Repeats the handling of messages that met another one.</summary>
internal static class Conflicts
{
    // 50 messages for one row over two processes were repeated 146 to 201 times in all; 100 times one message is no race any more.
    private static readonly RetryPolicy s_policy = new()
    {
        MaxAttempts = 100,
        BaseDelay = TimeSpan.FromMilliseconds(2),
        MaxDelay = TimeSpan.FromMilliseconds(100),
        Handle = static failure => failure is PostriderException { Error: PostriderError.Conflict },
    };

    /// <summary>Waits before a handling is repeated.</summary>
    /// <param name="failure">Why the handling failed.</param>
    /// <param name="conflicts">How often it has failed, this time included.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>False if the failure is no conflict, or there were too many: then it is a failure like any other.</returns>
    internal static async ValueTask<bool> WaitAsync(Exception failure, int conflicts, CancellationToken ct)
    {
        if (!s_policy.TryPlan(failure, conflicts, TimeSpan.Zero, out var delay))
            return false;
        // By the system's clock: this is about processors and not about the application's time.
        await Task.Delay(delay, TimeProvider.System, ct).ConfigureAwait(false);
        return true;
    }
}
