// Hot path: client or endpoint -> this -> interceptors -> channel or implementation. Allocations: the context where the caller gave none.
namespace Postrider.Rpc.Interception;

/// <summary>One operation with the application's interceptors around its calls, on either side.</summary>
internal sealed class InterceptorInvoker<TRequest, TItem, TResponse> : OperationInvoker<TRequest, TItem, TResponse>
{
    private readonly Operation _operation;

    // The outermost interceptor and what it continues with: called from here, without a delegate around both.
    private readonly Func<RpcCall<TRequest, TItem>, RpcCallNext<TRequest, TItem, TResponse>, ValueTask<TResponse>> _call;
    private readonly RpcCallNext<TRequest, TItem, TResponse> _callNext;
    private readonly Func<RpcCall<TRequest, TItem>, RpcStreamNext<TRequest, TItem, TResponse>, IAsyncEnumerable<TResponse>> _stream;
    private readonly RpcStreamNext<TRequest, TItem, TResponse> _streamNext;

    public InterceptorInvoker(
        Operation operation,
        RpcInterceptor[] interceptors,
        RpcCallNext<TRequest, TItem, TResponse> call,
        RpcStreamNext<TRequest, TItem, TResponse> stream)
    {
        (_operation, _callNext, _streamNext) = (operation, call, stream);
        for (var i = interceptors.Length - 1; i > 0; i--)
        {
            _callNext = Around(interceptors[i], _callNext);
            _streamNext = Around(interceptors[i], _streamNext);
        }

        _call = interceptors[0].CallAsync;
        _stream = interceptors[0].StreamAsync;
    }

    public override ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => _call(new(_operation, request, items, context ?? new CallContext(), ct), _callNext);

    public override IAsyncEnumerable<TResponse> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => _stream(new(_operation, request, items, context ?? new CallContext(), ct), _streamNext);

    // The delegate resolves the generic override once: a generic virtual call would resolve it each time.
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
