namespace Postrider.Rpc.Interception;

/// <summary>A channel whose calls are intercepted.</summary>
internal sealed class InterceptedChannel<TCall>(RpcChannel inner, CallInterceptor<TCall> interceptor) : RpcChannel
{
    public override OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
    {
        var caller = inner.Bind(operation);
        return new InterceptedInvoker<TRequest, TItem, TResponse, TCall>(interceptor, operation, caller.CallAsync, caller.StreamAsync);
    }

    public override ValueTask DisposeAsync() => inner.DisposeAsync();
}
