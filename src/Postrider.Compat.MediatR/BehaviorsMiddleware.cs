namespace Postrider.Compat.MediatR;

/// <summary>Runs the behaviors and processors that MediatR keeps in the container around requests with a response.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="before">Pre-processors of the scope.</param>
/// <param name="behaviors">Behaviors of the scope.</param>
/// <param name="after">Post-processors of the scope.</param>
[Middleware(Order = BehaviorsOrder.Behaviors, Lifetime = HandlerLifetime.Scoped)]
public sealed class BehaviorsMiddleware<TRequest, TResponse>(
    IEnumerable<IRequestPreProcessor<TRequest>> before,
    IEnumerable<IPipelineBehavior<TRequest, TResponse>> behaviors,
    IEnumerable<IRequestPostProcessor<TRequest, TResponse>> after) : IMiddleware<TRequest, TResponse>
    where TRequest : IRequest<TResponse>
{
    /// <inheritdoc/>
    public ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
        => BehaviorChain.Run(
            request, before, behaviors, after, token => next.Invoke(request, BehaviorChain.Chosen(token, ct)).AsTask(), ct);
}
