namespace Postrider.Rpc.Operations;

/// <summary>Runs an operation no longer than its caller allows.</summary>
internal static class DeadlineCall
{
    /// <summary>Runs it; the token that it gets is cancelled by the caller's or when the time is over.</summary>
    /// <exception cref="RpcException">The time is over: <see cref="RpcStatus.DeadlineExceeded"/>.</exception>
    public static ValueTask<TResponse> RunAsync<TRequest, TItem, TResponse>(
        OperationEndpoint<TRequest, TItem, TResponse> endpoint, TRequest request, CallContext? context, TimeSpan? time, TimeProvider provider, CancellationToken caller)
        => !endpoint.Contract.TakesToken ? endpoint.CallAsync(request, null, context, CancellationToken.None)
        : time is { } limit ? RunInTimeAsync(endpoint, request, context, limit, provider, caller)
        : endpoint.CallAsync(request, null, context, caller);

    /// <summary>What a call failed with: its time, when that ended it.</summary>
    public static Exception Translate(Exception failure, Operation operation, DeadlineTokenSource end, CancellationToken caller)
        => failure is OperationCanceledException && end.Token.IsCancellationRequested && !caller.IsCancellationRequested
            ? CallTimeout.Exceeded(operation.Path, failure)
            : failure;

    private static async ValueTask<TResponse> RunInTimeAsync<TRequest, TItem, TResponse>(
        OperationEndpoint<TRequest, TItem, TResponse> endpoint, TRequest request, CallContext? context, TimeSpan time, TimeProvider provider, CancellationToken caller)
    {
        using var end = new DeadlineTokenSource(provider, time, caller);
        try
        {
            return await endpoint.CallAsync(request, null, context, end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException failure)
        {
            throw Translate(failure, endpoint.Contract, end, caller);
        }
    }
}
