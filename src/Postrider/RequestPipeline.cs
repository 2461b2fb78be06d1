// Hot path: DispatcherCore.SendByTypeId -> this -> handler or Next.Invoke. Allocations: none.
using System.Runtime.CompilerServices;

namespace Postrider;

/// <summary>A step of a request pipeline: the entry, a middleware or the handler. Generated code derives from it.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <remarks>It is an abstract class instead of an interface, because a virtual call needs no lookup of type arguments in shared generic
/// code.</remarks>
public abstract class RequestPipeline<TRequest, TResponse> : ResponsePipeline<TResponse>
    where TRequest : notnull
{
    /// <inheritdoc/>
    public sealed override Type MessageType => typeof(TRequest);

    /// <summary>Runs this step and those after it.</summary>
    /// <param name="request">The message.</param>
    /// <param name="state">At the entry the caller's <see cref="CallOrigin"/> or null. After it, the state that the message type needs:
    /// null, the scope's <see cref="IServiceProvider"/>, or a <see cref="MessageContext"/>.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The response.</returns>
    public abstract ValueTask<TResponse> Invoke(TRequest request, object? state, CancellationToken ct);

    /// <inheritdoc/>
    public sealed override ValueTask<TResponse> InvokeMessage(object message, object? state, CancellationToken ct)
        => Invoke(typeof(TRequest).IsValueType ? (TRequest)message : Unsafe.As<object, TRequest>(ref message), state, ct);

    /// <inheritdoc/>
    public sealed override ValueTask<object?> InvokeUntyped(object message, object? state, CancellationToken ct)
    {
        var task = InvokeMessage(message, state, ct);
        return task.IsCompletedSuccessfully ? new(Box(task.Result)) : Wait(task);

        static async ValueTask<object?> Wait(ValueTask<TResponse> task) => Box(await task.ConfigureAwait(false));
        static object? Box(TResponse response) => typeof(TResponse) == typeof(Unit) ? null : response;
    }
}
