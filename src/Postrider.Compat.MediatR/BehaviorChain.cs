namespace Postrider.Compat.MediatR;

/// <summary>What MediatR keeps in the container, around a handler: pre-processors, behaviors in the order of their registration,
/// post-processors.</summary>
internal static class BehaviorChain
{
    internal static async ValueTask<TResponse> Run<TRequest, TResponse>(
        TRequest request,
        IEnumerable<IRequestPreProcessor<TRequest>> before,
        IEnumerable<IPipelineBehavior<TRequest, TResponse>> behaviors,
        IEnumerable<IRequestPostProcessor<TRequest, TResponse>> after,
        RequestHandlerDelegate<TResponse> handler,
        CancellationToken ct)
        where TRequest : notnull
    {
        foreach (var processor in before)
            await processor.Process(request, ct).ConfigureAwait(false);

        var rest = handler;
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

    /// <summary>The cancellation token of a step: the one that it was given, or else the caller's.</summary>
    internal static CancellationToken Chosen(CancellationToken given, CancellationToken callers)
        => given == default ? callers : given;
}
