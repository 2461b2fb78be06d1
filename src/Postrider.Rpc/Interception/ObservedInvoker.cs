using System.Runtime.CompilerServices;

namespace Postrider.Rpc.Interception;

/// <summary>An invoker whose calls are observed, on either side.</summary>
/// <param name="observer">Observes the calls.</param>
/// <param name="operation">The operation.</param>
/// <param name="call">Runs an operation that returns a message: the channel's invoker, or the endpoint.</param>
/// <param name="stream">Runs an operation that returns a stream, likewise.</param>
internal sealed class ObservedInvoker<TRequest, TItem, TResponse, TCall>(
    CallObserver<TCall> observer,
    Operation operation,
    Func<TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, ValueTask<TResponse>> call,
    Func<TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, IAsyncEnumerable<TResponse>> stream)
    : OperationInvoker<TRequest, TItem, TResponse>
{
    public override ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => observer.IsOn ? CallObservedAsync(request, items, context, ct) : call(request, items, context, ct);

    public override IAsyncEnumerable<TResponse> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => observer.IsOn ? StreamObservedAsync(request, items, context, ct) : stream(request, items, context, ct);

    private async ValueTask<TResponse> CallObservedAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        var observed = observer.Begin(operation, ref context, ref ct);
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
            observer.End(operation, observed, failure, isLeft: false);
        }
    }

    private async IAsyncEnumerable<TResponse> StreamObservedAsync(
        TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, [EnumeratorCancellation] CancellationToken ct)
    {
        var observed = observer.Begin(operation, ref context, ref ct);
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
                observer.CountItem(observed);
                yield return reading.Current;
            }
        }
        finally
        {
            observer.End(operation, observed, failure, isLeft && failure is null);
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
