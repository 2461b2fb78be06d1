using System.Runtime.CompilerServices;

namespace Postrider.Rpc.Operations;

/// <summary>Results of methods that have none, and back. Generated code calls these.</summary>
public static class Results
{
    /// <summary>A task without result as one whose result is <see cref="Unit"/>.</summary>
    /// <param name="task">The task.</param>
    /// <returns>The same with a result.</returns>
    public static ValueTask<Unit> Of(ValueTask task)
    {
        if (!task.IsCompletedSuccessfully)
            return AwaitAsync(task);
        task.GetAwaiter().GetResult();
        return default;
    }

    /// <summary>A task without result as one whose result is <see cref="Unit"/>.</summary>
    /// <param name="task">The task.</param>
    /// <returns>The same with a result.</returns>
    public static ValueTask<Unit> Of(Task task) => Of(new ValueTask(task));

    /// <summary>The same without its result.</summary>
    /// <param name="task">The task.</param>
    /// <returns>The same without its result.</returns>
    public static ValueTask Drop(ValueTask<Unit> task)
    {
        if (!task.IsCompletedSuccessfully)
            return DropLaterAsync(task);
        task.GetAwaiter().GetResult();
        return default;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<Unit> AwaitAsync(ValueTask task)
    {
        await task.ConfigureAwait(false);
        return default;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask DropLaterAsync(ValueTask<Unit> task) => await task.ConfigureAwait(false);
}
