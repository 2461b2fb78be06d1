namespace Postrider.UnitTests;

/// <summary>Measures what a call allocates on the managed heap.</summary>
/// <remarks>Only the calling thread is looked at: tests that run at the same time do not disturb it.</remarks>
public static class Allocations
{
    private const int Rounds = 5;

    /// <summary>How many bytes one call of <paramref name="action"/> allocates.</summary>
    /// <param name="action">The call; it must do its work on the calling thread.</param>
    /// <param name="warmUp">Calls made first and not counted: pools, caches and static fields fill up in them.</param>
    /// <param name="calls">Calls in a measured round.</param>
    /// <returns>Bytes, rounded up: 0 means that a whole round allocated nothing, not even now and then.</returns>
    public static long PerCall(Action action, int warmUp = 1_000, int calls = 1_000)
    {
        ArgumentNullException.ThrowIfNull(action);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(calls);
        Repeat(action, warmUp);

        // The least of a few rounds: what the runtime does once (a method compiled again, a table grown) is not the call's.
        var least = long.MaxValue;
        for (var round = 0; round < Rounds && least > 0; round++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            Repeat(action, calls);
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return (least + calls - 1) / calls;
    }

    /// <summary>How many bytes one call of <paramref name="action"/> allocates, when the call completes at once.</summary>
    /// <param name="action">The call; a task that is not complete when it is returned is an error of the test.</param>
    /// <param name="warmUp">Calls made first and not counted.</param>
    /// <param name="calls">Calls in a measured round.</param>
    /// <returns>Bytes, rounded up.</returns>
    public static long PerCall(Func<ValueTask> action, int warmUp = 1_000, int calls = 1_000)
    {
        ArgumentNullException.ThrowIfNull(action);
        return PerCall(CompleteNow, warmUp, calls);

        void CompleteNow()
        {
            var task = action();
            if (!task.IsCompleted)
                throw new InvalidOperationException("The call did not complete at once: part of it ran on another thread.");

            task.GetAwaiter().GetResult();
        }
    }

    /// <summary>How many bytes one call of <paramref name="action"/> allocates, where only a bound is of interest.</summary>
    /// <param name="action">The call; it must do its work on the calling thread and do the same each time.</param>
    /// <param name="bound">Bytes; a call that took more is repeated, a few times: the runtime itself allocates now and then.</param>
    /// <returns>The bytes of the first call within the bound, or the least that was seen.</returns>
    public static long OfOne(Action action, long bound)
    {
        ArgumentNullException.ThrowIfNull(action);
        var least = long.MaxValue;
        for (var round = 0; round < Rounds && least > bound; round++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            action();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }

    private static void Repeat(Action action, int times)
    {
        for (var i = 0; i < times; i++)
            action();
    }
}
