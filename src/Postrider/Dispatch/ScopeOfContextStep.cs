namespace Postrider.Dispatch;

/// <summary>Stands before steps that were compiled to take a scope, where middleware of another project needs a context too.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
internal sealed class ScopeOfContextStep<TRequest, TResponse>(RequestPipeline<TRequest, TResponse> next)
    : RequestPipeline<TRequest, TResponse>
    where TRequest : notnull
{
    public override ValueTask<TResponse> Invoke(TRequest request, object? state, CancellationToken ct)
        => next.Invoke(request, CallState.Context(state).Handlers, ct);
}
