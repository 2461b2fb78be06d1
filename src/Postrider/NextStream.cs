namespace Postrider;

/// <summary>The rest of a stream's pipeline, as a middleware sees it.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TItem">The type of the items.</typeparam>
/// <param name="step">The step that follows.</param>
/// <param name="state">What the entry handed down.</param>
public readonly struct NextStream<TRequest, TItem>(StreamPipeline<TRequest, TItem> step, object? state)
    where TRequest : notnull
{
    /// <summary>Runs the rest of the pipeline.</summary>
    /// <param name="request">The message.</param>
    /// <param name="ct">The cancellation that the rest shall see.</param>
    /// <returns>The items; nothing runs before they are enumerated.</returns>
    public IAsyncEnumerable<TItem> Invoke(TRequest request, CancellationToken ct) => step.Invoke(request, state, ct);
}
