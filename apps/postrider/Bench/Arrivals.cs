namespace Postrider.CommandLine.Bench;

/// <summary>Counts messages as they arrive; completes when all have arrived, or when none has arrived for too long.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class Arrivals(long expected)
{
    // Longer than any pause of a healthy server, but short enough for a user to wait.
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(250);

    private readonly TaskCompletionSource _complete = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _count;

    internal long Count => Volatile.Read(ref _count);

    internal long Expected => expected;

    internal void Add()
    {
        if (Interlocked.Increment(ref _count) == expected)
            _complete.TrySetResult();
    }

    /// <summary>Waits for the last message; returns early if none arrives for ten seconds.</summary>
    /// <param name="progress">Called with the count from time to time.</param>
    /// <param name="patient">Whether to wait for the first message without a limit.</param>
    /// <param name="ct">Cancels the operation.</param>
    internal async Task WaitAsync(IProgress<long> progress, bool patient, CancellationToken ct)
    {
        var (last, quiet) = (0L, TimeSpan.Zero);
        while (!_complete.Task.IsCompleted && (quiet < Silence || (patient && last == 0)))
        {
            await Task.WhenAny(_complete.Task, Task.Delay(LookEvery, ct));
            ct.ThrowIfCancellationRequested();
            var now = Count;
            quiet = now == last ? quiet + LookEvery : TimeSpan.Zero;
            last = now;
            progress.Report(now);
        }
    }
}
