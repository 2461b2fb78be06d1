namespace Postrider.Rpc.Interception;

/// <summary>A channel whose calls are observed.</summary>
internal sealed class ObservedChannel<TCall>(RpcChannel inner, CallObserver<TCall> observer) : RpcChannel
{
    public override OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
    {
        var caller = inner.Bind(operation);
        return new ObservedInvoker<TRequest, TItem, TResponse, TCall>(observer, operation, caller.CallAsync, caller.StreamAsync);
    }

    public override ValueTask DisposeAsync() => inner.DisposeAsync();
}
