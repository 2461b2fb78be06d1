namespace Postrider.UnitTests.Client.Sessions;

/// <summary>The system's clock, which tells when somebody waits for long.</summary>
/// <param name="threshold">What counts as long.</param>
internal sealed class RecordingTime(TimeSpan threshold) : TimeProvider
{
    private readonly TaskCompletionSource _isLong = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completed when a timer was set to such a time.</summary>
    public Task LongTimer => _isLong.Task;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        if (dueTime >= threshold) _isLong.TrySetResult();
        return base.CreateTimer(callback, state, dueTime, period);
    }
}
