namespace Postrider.Rpc;

/// <summary>Calls one operation over one channel; what a generated client holds for each of its methods.</summary>
/// <typeparam name="TRequest">The message there.</typeparam>
/// <typeparam name="TItem">What the caller streams, or <see cref="Unit"/>.</typeparam>
/// <typeparam name="TResponse">The message back or an item of the stream back.</typeparam>
/// <remarks>Thread-safe.</remarks>
public abstract class OperationInvoker<TRequest, TItem, TResponse>
{
    /// <summary>Calls an operation that gives one message or none.</summary>
    /// <param name="request">The message there.</param>
    /// <param name="items">What is streamed there, or null.</param>
    /// <param name="context">Headers and time, or null.</param>
    /// <param name="ct">Gives up: the server's token is cancelled too.</param>
    /// <returns>The message back. For a one-way operation, when the message was handed over.</returns>
    /// <exception cref="RpcException">The call did not succeed.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="ct"/> was cancelled.</exception>
    public abstract ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct);

    /// <summary>Calls an operation that gives a stream; it begins when the stream is first asked for an item.</summary>
    /// <param name="request">The message there.</param>
    /// <param name="items">What is streamed there, or null.</param>
    /// <param name="context">Headers and time, or null.</param>
    /// <param name="ct">Gives up: the server's token is cancelled too.</param>
    /// <returns>The items; leaving the loop before their end cancels the call.</returns>
    /// <exception cref="RpcException">The call did not succeed.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="ct"/> was cancelled.</exception>
    public abstract IAsyncEnumerable<TResponse> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct);
}
