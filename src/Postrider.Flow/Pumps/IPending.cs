namespace Postrider.Flow.Pumps;

/// <summary>A pending result: one interface for ValueTask with and without a value.</summary>
/// <typeparam name="TResult">The result.</typeparam>
internal interface IPending<out TResult>
{
    bool IsCompleted { get; }

    bool IsCompletedSuccessfully { get; }

    /// <summary>The result, or the failure thrown. Once.</summary>
    TResult GetResult();

    /// <summary>Arms a continuation without flowing the execution context. Once, before <see cref="GetResult"/>.</summary>
    void OnCompleted(Action continuation);
}
