using System.Diagnostics;

namespace Postrider.UnitTests.Flow;

/// <summary>Moves a fake clock from timer to timer until a task has ended.</summary>
internal static class VirtualRun
{
    // Real time without progress after which a run counts as hung.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    // Real time after which the clock moves although the pool has work: it may be somebody else's.
    private static readonly TimeSpan LongestWork = TimeSpan.FromSeconds(2);

    /// <summary>A delay on a clock; below zero for ever.</summary>
    /// <remarks>Unlike <see cref="Task.Delay(TimeSpan, TimeProvider, CancellationToken)"/> it ends on the thread that moves the clock or
    /// cancels: nothing of a run is on another thread while the clock moves.</remarks>
    public static async Task DelayAsync(this TimeProvider time, int milliseconds, CancellationToken ct)
    {
        var ended = new TaskCompletionSource();
        await using var cancelled = ct.UnsafeRegister(static (state, token) => ((TaskCompletionSource)state!).TrySetCanceled(token), ended);
        await using var timer = milliseconds < 0
            ? null
            : time.CreateTimer(static state => ((TaskCompletionSource)state!).TrySetResult(), ended, TimeSpan.FromMilliseconds(milliseconds), Timeout.InfiniteTimeSpan);
        await ended.Task;
    }

    public static async Task<TimeSpan> FinishAsync(this Task task, TestClock time)
    {
        var begun = time.GetTimestamp();
        await DriveAsync(task, time, "");
        var elapsed = time.GetElapsedTime(begun);
        await task;
        return elapsed;
    }

    public static async Task<T> FinishAsync<T>(this Task<T> task, TestClock time)
    {
        await DriveAsync(task, time, "");
        return await task;
    }

    /// <summary>Ends when the task has, well or not.</summary>
    public static async Task DriveAsync(Task task, TestClock time, string what)
    {
        var idle = Stopwatch.GetTimestamp();
        while (!task.IsCompleted)
        {
            var busy = Stopwatch.GetTimestamp();
            while (PoolWorks() && !task.IsCompleted && Stopwatch.GetElapsedTime(busy) < LongestWork) await Task.Yield();
            if (!task.IsCompleted) Step(time, ref idle, what);
        }
    }

    /// <summary>The same without giving the thread away: quicker, and what runs elsewhere may see time pass sooner.</summary>
    public static void Drive(Task task, TestClock time, string what)
    {
        var idle = Stopwatch.GetTimestamp();
        while (!task.IsCompleted)
            Step(time, ref idle, what);
    }

    // A thread of the pool that is between two timers must not see the clock run away from it, however long it is kept from
    // its processor. The classes of the collection run alone, so that the pool's work is theirs.
    private static bool PoolWorks()
    {
        ThreadPool.GetMaxThreads(out var max, out _);
        ThreadPool.GetAvailableThreads(out var free, out _);
        return ThreadPool.PendingWorkItemCount > 0 || max - free > (Thread.CurrentThread.IsThreadPoolThread ? 1 : 0);
    }

    private static void Step(TestClock time, ref long idle, string what)
    {
        if (time.AdvanceToNextTimer())
        {
            idle = Stopwatch.GetTimestamp();
            return;
        }
        if (Stopwatch.GetElapsedTime(idle) > Patience)
            Assert.Fail($"Hung: no timer is armed and the task has not ended. {what}");
        Thread.Yield();
    }
}
