namespace Postrider.Rpc;

/// <summary>Continues a call that returns one message or nothing: with the next interceptor, then with the channel or the
/// implementation.</summary>
/// <typeparam name="TRequest">The request message.</typeparam>
/// <typeparam name="TItem">The item type of the request stream, or <see cref="Unit"/>.</typeparam>
/// <typeparam name="TResponse">The response message.</typeparam>
/// <param name="call">The call. It may be continued several times, for example to retry it, but not concurrently.</param>
/// <returns>The response.</returns>
public delegate ValueTask<TResponse> RpcCallNext<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call);
