using System.Runtime.CompilerServices;

namespace Postrider.Rpc;

/// <summary>Results of methods that have none, and back. Generated code calls these.</summary>
public static class ResultAdapters
{
    /// <summary>A task without result as one whose result is <see cref="Unit"/>.</summary>
    /// <param name="task">The task.</param>
    /// <returns>The same with a result.</returns>
    public static ValueTask<Unit> ToUnit(ValueTask task)
    {
        if (!task.IsCompletedSuccessfully)
            return AwaitAsync(task);
        task.GetAwaiter().GetResult();
        return default;
    }

    /// <summary>A task without result as one whose result is <see cref="Unit"/>.</summary>
    /// <param name="task">The task.</param>
    /// <returns>The same with a result.</returns>
    public static ValueTask<Unit> ToUnit(Task task) => ToUnit(new ValueTask(task));

    /// <summary>The same without its result.</summary>
    /// <param name="task">The task.</param>
    /// <returns>The same without its result.</returns>
    public static ValueTask FromUnit(ValueTask<Unit> task)
    {
        if (!task.IsCompletedSuccessfully)
            return FromUnitAsync(task);
        task.GetAwaiter().GetResult();
        return default;
    }

    /// <summary>Waits for a call: for contracts whose methods return, as those of WCF may.</summary>
    /// <typeparam name="T">The result.</typeparam>
    /// <param name="call">The call.</param>
    /// <returns>The result.</returns>
    /// <remarks>The thread is blocked meanwhile; a method that gives a task blocks none.</remarks>
    public static T Wait<T>(ValueTask<T> call)
    {
        // Off the caller's context: what continues the call does not wait for the thread that waits here.
        return call.IsCompleted ? call.GetAwaiter().GetResult() : call.AsTask().GetAwaiter().GetResult();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<Unit> AwaitAsync(ValueTask task)
    {
        await task.ConfigureAwait(false);
        return default;
    }

    // Not by a pooled builder: the caller's code may ask it for its result too early, which would give it to the next call while it runs.
    private static async ValueTask FromUnitAsync(ValueTask<Unit> task) => await task.ConfigureAwait(false);
}
