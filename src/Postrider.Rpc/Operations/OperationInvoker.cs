namespace Postrider.Rpc;

/// <summary>Calls one operation over one channel. A generated client holds one for each of its methods.</summary>
/// <typeparam name="TRequest">The request message.</typeparam>
/// <typeparam name="TItem">The item type of the request stream, or <see cref="Unit"/>.</typeparam>
/// <typeparam name="TResponse">The response message, or the item type of the response stream.</typeparam>
/// <remarks>Thread-safe.</remarks>
public abstract class OperationInvoker<TRequest, TItem, TResponse>
{
    /// <summary>Calls an operation that returns one message or nothing.</summary>
    /// <param name="request">The request message.</param>
    /// <param name="items">The request stream, or null.</param>
    /// <param name="context">Headers and timeout, or null.</param>
    /// <param name="ct">Cancels the call, including the operation at the server.</param>
    /// <returns>The response message. The task of a one-way operation completes when the message has been sent.</returns>
    /// <exception cref="RpcException">The call failed.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="ct"/> was cancelled.</exception>
    public abstract ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct);

    /// <summary>Calls an operation that returns a stream. The call starts with the first enumeration step.</summary>
    /// <param name="request">The request message.</param>
    /// <param name="items">The request stream, or null.</param>
    /// <param name="context">Headers and timeout, or null.</param>
    /// <param name="ct">Cancels the call, including the operation at the server.</param>
    /// <returns>The items. Ending the enumeration early cancels the call.</returns>
    /// <exception cref="RpcException">The call failed.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="ct"/> was cancelled.</exception>
    public abstract IAsyncEnumerable<TResponse> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct);
}
