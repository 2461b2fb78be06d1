namespace Postrider.Transports;

/// <summary>Waits longer than <see cref="Task.Delay(TimeSpan, TimeProvider)"/> accepts, which is 49 days.</summary>
internal static class LongDelay
{
    private static readonly TimeSpan s_step = TimeSpan.FromDays(30);

    /// <summary>Waits for a time of any length.</summary>
    /// <param name="delay">The time.</param>
    /// <param name="time">The clock.</param>
    /// <param name="ct">Cancels the wait.</param>
    internal static async Task WaitAsync(TimeSpan delay, TimeProvider time, CancellationToken ct)
    {
        for (; delay > s_step; delay -= s_step)
            await Task.Delay(s_step, time, ct).ConfigureAwait(false);
        await Task.Delay(delay, time, ct).ConfigureAwait(false);
    }
}
