namespace Postrider.Rpc;

/// <summary>A call as an <see cref="RpcInterceptor"/> sees it. Change it with a <c>with</c> expression.</summary>
/// <typeparam name="TRequest">The request message: a parameter, <see cref="RpcArguments{TFirst, TRest}"/> for several, or
/// <see cref="Unit"/>.</typeparam>
/// <typeparam name="TItem">The item type of the request stream, or <see cref="Unit"/>.</typeparam>
/// <param name="Operation">The operation: its service, name, kind and attributes (<see cref="Postrider.Rpc.Operation.Metadata"/>).</param>
/// <param name="Request">The request message.</param>
/// <param name="Items">The request stream, or null.</param>
/// <param name="Context">Headers, timeout, the caller's address and principal, and items that interceptors share. Never null.</param>
/// <param name="CancellationToken">Cancels the call.</param>
public readonly record struct RpcCall<TRequest, TItem>(
    Operation Operation, TRequest Request, IAsyncEnumerable<TItem>? Items, CallContext Context, CancellationToken CancellationToken);
