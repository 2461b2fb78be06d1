namespace Postrider.Dispatch;

/// <summary>Comes before steps that were compiled to take a scope, if middleware of another project also needs a context.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
internal sealed class ScopeOfContextStep<TRequest, TResponse>(RequestPipeline<TRequest, TResponse> next)
    : RequestPipeline<TRequest, TResponse>
    where TRequest : notnull
{
    public override ValueTask<TResponse> Invoke(TRequest request, object? state, CancellationToken ct)
        => next.Invoke(request, CallState.Context(state).Handlers, ct);
}
