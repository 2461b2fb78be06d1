namespace Postrider.Rpc;

/// <summary>A way to services: what a generated client is made with. It connects when it is first used.</summary>
/// <remarks>Thread-safe; one channel serves any number of clients.</remarks>
public abstract class RpcChannel : IAsyncDisposable
{
    /// <summary>Prepares the calls of one operation.</summary>
    /// <typeparam name="TRequest">The message there.</typeparam>
    /// <typeparam name="TItem">What the caller streams.</typeparam>
    /// <typeparam name="TResponse">The message back or an item of the stream back.</typeparam>
    /// <param name="operation">The operation.</param>
    /// <returns>Its caller.</returns>
    /// <exception cref="RpcException">The codec does not support a type: <see cref="RpcStatus.Unsupported"/>. A kind of call that the
    /// transport has no way to make fails with the same when it is made.</exception>
    public abstract OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation);

    /// <summary>Closes it: calls under way fail with <see cref="RpcStatus.Unavailable"/>.</summary>
    /// <returns>A task that completes when everything is closed.</returns>
    public abstract ValueTask DisposeAsync();
}
