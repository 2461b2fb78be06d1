using System.Runtime.CompilerServices;

namespace Postrider.Flow.Pumps;

/// <summary>A pending ValueTask without a value.</summary>
internal readonly struct Pending(ValueTask task) : IPending<NoResult>
{
    private readonly ValueTask _task = task;

    public bool IsCompleted => _task.IsCompleted;

    public bool IsCompletedSuccessfully => _task.IsCompletedSuccessfully;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public NoResult GetResult()
    {
        _task.GetAwaiter().GetResult();
        return default;
    }

    public void OnCompleted(Action continuation) => _task.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(continuation);
}
