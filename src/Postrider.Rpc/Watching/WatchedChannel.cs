using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Watching;

/// <summary>A channel whose calls are watched.</summary>
internal sealed class WatchedChannel<TCall>(RpcChannel inner, CallWatch<TCall> watch) : RpcChannel
{
    public override Caller<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
    {
        var caller = inner.Bind(operation);
        return new WatchedCaller<TRequest, TItem, TResponse, TCall>(watch, operation, caller.CallAsync, caller.StreamAsync);
    }

    public override ValueTask DisposeAsync() => inner.DisposeAsync();
}
