using System.Runtime.CompilerServices;

namespace Postrider;

/// <summary>A step of a stream pipeline. Generated code derives from it.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TItem">The type of the items.</typeparam>
public abstract class StreamPipeline<TRequest, TItem> : ItemPipeline<TItem>
    where TRequest : notnull
{
    /// <inheritdoc/>
    public sealed override Type MessageType => typeof(TRequest);

    /// <summary>Runs this step and those after it.</summary>
    /// <param name="request">The message.</param>
    /// <param name="state">As for <see cref="RequestPipeline{TRequest, TResponse}.Invoke"/>.</param>
    /// <param name="ct">Cancels the sequence.</param>
    /// <returns>The items.</returns>
    public abstract IAsyncEnumerable<TItem> Invoke(TRequest request, object? state, CancellationToken ct);

    /// <inheritdoc/>
    public sealed override IAsyncEnumerable<TItem> InvokeMessage(object message, object? state, CancellationToken ct)
        => Invoke(typeof(TRequest).IsValueType ? (TRequest)message : Unsafe.As<object, TRequest>(ref message), state, ct);

    /// <inheritdoc/>
    public sealed override ValueTask<object?> InvokeUntyped(object message, object? state, CancellationToken ct)
        => new(InvokeMessage(message, state, ct));
}
