using System.Runtime.CompilerServices;

namespace Postrider.Flow.Pumps;

/// <summary>A pending ValueTask with a value.</summary>
internal readonly struct Pending<TResult>(ValueTask<TResult> task) : IPending<TResult>
{
    private readonly ValueTask<TResult> _task = task;

    public bool IsCompleted => _task.IsCompleted;

    public bool IsCompletedSuccessfully => _task.IsCompletedSuccessfully;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TResult GetResult() => _task.GetAwaiter().GetResult();

    public void OnCompleted(Action continuation) => _task.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(continuation);
}
