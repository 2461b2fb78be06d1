namespace Postrider;

/// <summary>The rest of a stream's pipeline after a middleware.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TItem">The type of the items.</typeparam>
/// <param name="step">The step that follows.</param>
/// <param name="state">The state from the entry.</param>
public readonly struct NextStream<TRequest, TItem>(StreamPipeline<TRequest, TItem> step, object? state)
    where TRequest : notnull
{
    /// <summary>Runs the rest of the pipeline.</summary>
    /// <param name="request">The message.</param>
    /// <param name="ct">The cancellation token for the rest.</param>
    /// <returns>The items; nothing runs before they are enumerated.</returns>
    public IAsyncEnumerable<TItem> Invoke(TRequest request, CancellationToken ct) => step.Invoke(request, state, ct);
}
