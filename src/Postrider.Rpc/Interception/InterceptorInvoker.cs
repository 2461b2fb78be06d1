// Hot path: client or endpoint -> this -> interceptors -> channel or implementation. Allocations: the context where the caller gave none.
namespace Postrider.Rpc.Interception;

/// <summary>One operation with the application's interceptors around its calls, on either side.</summary>
internal sealed class InterceptorInvoker<TRequest, TItem, TResponse> : OperationInvoker<TRequest, TItem, TResponse>
{
    private readonly Operation _operation;
    private readonly RpcCallNext<TRequest, TItem, TResponse> _call;
    private readonly RpcStreamNext<TRequest, TItem, TResponse> _stream;

    public InterceptorInvoker(
        Operation operation,
        RpcInterceptor[] interceptors,
        Func<TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, ValueTask<TResponse>> call,
        Func<TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, IAsyncEnumerable<TResponse>> stream)
    {
        _operation = operation;
        _call = last => call(last.Request, last.Items, last.Context, last.CancellationToken);
        _stream = last => stream(last.Request, last.Items, last.Context, last.CancellationToken);
        for (var i = interceptors.Length - 1; i >= 0; i--)
        {
            _call = Around(interceptors[i], _call);
            _stream = Around(interceptors[i], _stream);
        }
    }

    public override ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => _call(new(_operation, request, items, context ?? new CallContext(), ct));

    public override IAsyncEnumerable<TResponse> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => _stream(new(_operation, request, items, context ?? new CallContext(), ct));

    // The delegate finds the generic override once: a generic virtual call would look for it each time.
    private static RpcCallNext<TRequest, TItem, TResponse> Around(RpcInterceptor interceptor, RpcCallNext<TRequest, TItem, TResponse> next)
    {
        Func<RpcCall<TRequest, TItem>, RpcCallNext<TRequest, TItem, TResponse>, ValueTask<TResponse>> bound = interceptor.CallAsync;
        return call => bound(call, next);
    }

    private static RpcStreamNext<TRequest, TItem, TResponse> Around(RpcInterceptor interceptor, RpcStreamNext<TRequest, TItem, TResponse> next)
    {
        Func<RpcCall<TRequest, TItem>, RpcStreamNext<TRequest, TItem, TResponse>, IAsyncEnumerable<TResponse>> bound = interceptor.StreamAsync;
        return call => bound(call, next);
    }
}
