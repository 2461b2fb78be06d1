namespace Postrider.Compat.MediatR;

/// <summary>Runs the behaviors and processors that MediatR keeps in the container around requests without a response: they see a
/// <see cref="Unit"/>.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <param name="before">Pre-processors of the scope.</param>
/// <param name="behaviors">Behaviors of the scope.</param>
/// <param name="after">Post-processors of the scope.</param>
[Middleware(Order = BehaviorsOrder.Behaviors, Lifetime = HandlerLifetime.Scoped)]
public sealed class CommandBehaviorsMiddleware<TRequest>(
    IEnumerable<IRequestPreProcessor<TRequest>> before,
    IEnumerable<IPipelineBehavior<TRequest, Unit>> behaviors,
    IEnumerable<IRequestPostProcessor<TRequest, Unit>> after) : IMiddleware<TRequest, Postrider.Unit>
    where TRequest : IRequest
{
    /// <inheritdoc/>
    public async ValueTask<Postrider.Unit> Handle(TRequest request, Next<TRequest, Postrider.Unit> next, CancellationToken ct)
    {
        await BehaviorChain.Run(request, before, behaviors, after, Call, ct).ConfigureAwait(false);
        return default;

        async Task<Unit> Call(CancellationToken token)
        {
            await next.Invoke(request, BehaviorChain.Chosen(token, ct)).ConfigureAwait(false);
            return default;
        }
    }
}
