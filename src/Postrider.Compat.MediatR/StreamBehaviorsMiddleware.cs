namespace Postrider.Compat.MediatR;

/// <summary>Runs the stream behaviors that MediatR keeps in the container, in the order of their registration.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The type of the items.</typeparam>
/// <param name="behaviors">Stream behaviors of the scope.</param>
[Middleware(Order = BehaviorsOrder.Behaviors, Lifetime = HandlerLifetime.Scoped)]
public sealed class StreamBehaviorsMiddleware<TRequest, TResponse>(IEnumerable<IStreamPipelineBehavior<TRequest, TResponse>> behaviors)
    : IStreamMiddleware<TRequest, TResponse>
    where TRequest : IStreamRequest<TResponse>
{
    /// <inheritdoc/>
    public IAsyncEnumerable<TResponse> Handle(TRequest request, NextStream<TRequest, TResponse> next, CancellationToken ct)
    {
        StreamHandlerDelegate<TResponse> rest = () => next.Invoke(request, ct);
        foreach (var behavior in behaviors.Reverse())
        {
            var inner = rest;
            rest = () => behavior.Handle(request, inner, ct);
        }

        return rest();
    }
}
