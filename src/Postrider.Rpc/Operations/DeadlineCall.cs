namespace Postrider.Rpc.Operations;

/// <summary>Runs an operation with the caller's timeout.</summary>
internal static class DeadlineCall
{
    /// <summary>Runs the operation. Its token is cancelled by the caller's token or after the timeout.</summary>
    /// <exception cref="RpcException">The timeout has elapsed: <see cref="RpcStatus.DeadlineExceeded"/>.</exception>
    public static ValueTask<TResponse> RunAsync<TRequest, TItem, TResponse>(
        OperationEndpoint<TRequest, TItem, TResponse> endpoint, TRequest request, CallContext? context, TimeSpan? time, TimeProvider provider, CancellationToken caller)
        => !endpoint.Contract.TakesToken ? endpoint.CallAsync(request, null, context, CancellationToken.None)
        : time is { } limit ? RunInTimeAsync(endpoint, request, context, limit, provider, caller)
        : endpoint.CallAsync(request, null, context, caller);

    /// <summary>Translates a cancellation caused by the timeout into the exception of the timeout.</summary>
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
