namespace Postrider.Dispatch;

/// <summary>A handler that is a delegate.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
internal sealed class DelegateHandler<TRequest, TResponse>(Func<TRequest, CancellationToken, ValueTask<TResponse>> handler)
    : RequestPipeline<TRequest, TResponse>
    where TRequest : notnull
{
    public override ValueTask<TResponse> Invoke(TRequest request, object? state, CancellationToken ct) => handler(request, ct);
}
