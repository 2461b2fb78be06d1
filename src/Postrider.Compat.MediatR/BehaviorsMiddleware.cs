namespace Postrider.Compat.MediatR;

/// <summary>Runs what MediatR keeps in the container: pre-processors, behaviors in the order of their registration, post-processors.</summary>
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
    where TRequest : IBaseRequest
{
    /// <inheritdoc/>
    public async ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        foreach (var processor in before)
            await processor.Process(request, ct).ConfigureAwait(false);

        RequestHandlerDelegate<TResponse> rest = token => next.Invoke(request, Chosen(token, ct)).AsTask();
        foreach (var behavior in behaviors.Reverse())
        {
            var inner = rest;
            rest = token => behavior.Handle(request, inner, Chosen(token, ct));
        }

        var response = await rest(ct).ConfigureAwait(false);
        foreach (var processor in after)
            await processor.Process(request, response, ct).ConfigureAwait(false);
        return response;
    }

    private static CancellationToken Chosen(CancellationToken given, CancellationToken callers)
        => given == default ? callers : given;
}
