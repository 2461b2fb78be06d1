namespace Postrider.Rpc;

/// <summary>A connection to services, used by generated clients. It connects on first use.</summary>
/// <remarks>Thread-safe; one channel serves any number of clients.</remarks>
public abstract class RpcChannel : IAsyncDisposable
{
    /// <summary>Creates the invoker of one operation.</summary>
    /// <typeparam name="TRequest">The request message.</typeparam>
    /// <typeparam name="TItem">The item type of the request stream.</typeparam>
    /// <typeparam name="TResponse">The response message, or the item type of the response stream.</typeparam>
    /// <param name="operation">The operation.</param>
    /// <returns>The invoker.</returns>
    /// <exception cref="RpcException">The codec does not support a type: <see cref="RpcStatus.Unsupported"/>. Calls of a kind that the
    /// transport does not support fail with the same status.</exception>
    public abstract OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation);

    /// <summary>Closes the channel. Pending calls fail with <see cref="RpcStatus.Unavailable"/>.</summary>
    /// <returns>A task that completes when everything is closed.</returns>
    public abstract ValueTask DisposeAsync();
}
