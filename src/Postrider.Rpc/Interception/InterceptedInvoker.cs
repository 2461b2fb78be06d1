using System.Runtime.CompilerServices;

namespace Postrider.Rpc.Interception;

/// <summary>An invoker whose calls are intercepted, on either side.</summary>
/// <param name="interceptor">Is told of them.</param>
/// <param name="operation">The operation.</param>
/// <param name="call">What answers with a message: the channel's caller, or the endpoint.</param>
/// <param name="stream">What answers with a stream, likewise.</param>
internal sealed class InterceptedInvoker<TRequest, TItem, TResponse, TCall>(
    CallInterceptor<TCall> interceptor,
    Operation operation,
    Func<TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, ValueTask<TResponse>> call,
    Func<TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, IAsyncEnumerable<TResponse>> stream)
    : OperationInvoker<TRequest, TItem, TResponse>
{
    public override ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => interceptor.IsOn ? CallInterceptedAsync(request, items, context, ct) : call(request, items, context, ct);

    public override IAsyncEnumerable<TResponse> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => interceptor.IsOn ? StreamInterceptedAsync(request, items, context, ct) : stream(request, items, context, ct);

    private async ValueTask<TResponse> CallInterceptedAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        var intercepted = interceptor.Begin(operation, ref context, ref ct);
        Exception? failure = null;
        try
        {
            return await call(request, items, context, ct).ConfigureAwait(false);
        }
        catch (Exception thrown)
        {
            failure = thrown;
            throw;
        }
        finally
        {
            interceptor.End(operation, intercepted, failure, isLeft: false);
        }
    }

    private async IAsyncEnumerable<TResponse> StreamInterceptedAsync(
        TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, [EnumeratorCancellation] CancellationToken ct)
    {
        var intercepted = interceptor.Begin(operation, ref context, ref ct);
        Exception? failure = null;
        var isLeft = true;
        try
        {
            var reading = Begin();
            await using var ends = reading.ConfigureAwait(false);
            while (true)
            {
                try
                {
                    isLeft = await reading.MoveNextAsync().ConfigureAwait(false);
                }
                catch (Exception thrown)
                {
                    failure = thrown;
                    throw;
                }

                if (!isLeft)
                    break;
                interceptor.CountItem(intercepted);
                yield return reading.Current;
            }
        }
        finally
        {
            interceptor.End(operation, intercepted, failure, isLeft && failure is null);
        }

        IAsyncEnumerator<TResponse> Begin()
        {
            try
            {
                return stream(request, items, context, ct).GetAsyncEnumerator(ct);
            }
            catch (Exception thrown)
            {
                failure = thrown;
                throw;
            }
        }
    }
}
