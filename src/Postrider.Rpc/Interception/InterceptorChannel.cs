namespace Postrider.Rpc.Interception;

/// <summary>A channel with the application's interceptors around its calls.</summary>
internal sealed class InterceptorChannel(RpcChannel inner, RpcInterceptor[] interceptors) : RpcChannel
{
    public override OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
    {
        var invoker = inner.Bind(operation);
        return new InterceptorInvoker<TRequest, TItem, TResponse>(
            operation,
            interceptors,
            last => invoker.CallAsync(last.Request, last.Items, last.Context, last.CancellationToken),
            last => invoker.StreamAsync(last.Request, last.Items, last.Context, last.CancellationToken));
    }

    public override ValueTask DisposeAsync() => inner.DisposeAsync();
}
