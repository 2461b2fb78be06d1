namespace Postrider.Rpc;

/// <summary>Continues a call that returns a stream: with the next interceptor, then with the channel or the implementation.</summary>
/// <typeparam name="TRequest">The request message.</typeparam>
/// <typeparam name="TItem">The item type of the request stream, or <see cref="Unit"/>.</typeparam>
/// <typeparam name="TResponse">The item type of the response stream.</typeparam>
/// <param name="call">The call.</param>
/// <returns>The items. The call starts with the first step of the enumeration.</returns>
public delegate IAsyncEnumerable<TResponse> RpcStreamNext<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call);
