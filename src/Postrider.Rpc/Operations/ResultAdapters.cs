using System.Runtime.CompilerServices;

namespace Postrider.Rpc;

/// <summary>Converts between tasks without result and tasks with the result <see cref="Unit"/>. Used by generated code.</summary>
public static class ResultAdapters
{
    /// <summary>Converts a task without result into one with the result <see cref="Unit"/>.</summary>
    /// <param name="task">The task.</param>
    /// <returns>The converted task.</returns>
    public static ValueTask<Unit> ToUnit(ValueTask task)
    {
        if (!task.IsCompletedSuccessfully)
            return AwaitAsync(task);
        task.GetAwaiter().GetResult();
        return default;
    }

    /// <summary>Converts a task without result into one with the result <see cref="Unit"/>.</summary>
    /// <param name="task">The task.</param>
    /// <returns>The converted task.</returns>
    public static ValueTask<Unit> ToUnit(Task task) => ToUnit(new ValueTask(task));

    /// <summary>Converts a task with the result <see cref="Unit"/> into one without result.</summary>
    /// <param name="task">The task.</param>
    /// <returns>The converted task.</returns>
    public static ValueTask FromUnit(ValueTask<Unit> task)
    {
        if (!task.IsCompletedSuccessfully)
            return FromUnitAsync(task);
        task.GetAwaiter().GetResult();
        return default;
    }

    /// <summary>Blocks until a call completes, for contracts with synchronous methods as in WCF.</summary>
    /// <typeparam name="T">The result.</typeparam>
    /// <param name="call">The call.</param>
    /// <returns>The result.</returns>
    /// <remarks>Blocks the calling thread. Prefer methods that return tasks.</remarks>
    public static T Wait<T>(ValueTask<T> call)
    {
        // Without the caller's synchronization context: the continuation must not need the thread that is blocked here.
        return call.IsCompleted ? call.GetAwaiter().GetResult() : call.AsTask().GetAwaiter().GetResult();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<Unit> AwaitAsync(ValueTask task)
    {
        await task.ConfigureAwait(false);
        return default;
    }

    // No pooled builder: the caller may read the result too early, and it would then belong to the next call.
    private static async ValueTask FromUnitAsync(ValueTask<Unit> task) => await task.ConfigureAwait(false);
}
