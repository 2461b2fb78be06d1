using System.Runtime.CompilerServices;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Tracking;

/// <summary>A channel whose calls are tracked.</summary>
internal sealed class TrackedChannel(RpcChannel inner, CallTracking tracking) : RpcChannel
{
    public override Caller<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
        => new TrackedCaller<TRequest, TItem, TResponse>(inner.Bind(operation), operation, tracking);

    public override ValueTask DisposeAsync() => inner.DisposeAsync();

    private sealed class TrackedCaller<TRequest, TItem, TResponse>(
        Caller<TRequest, TItem, TResponse> caller, Operation operation, CallTracking tracking) : Caller<TRequest, TItem, TResponse>
    {
        public override async ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        {
            var call = tracking.BeginCall(operation, ref context, ct);
            Exception? failure = null;
            try
            {
                return await caller.CallAsync(request, items, context, call.Token).ConfigureAwait(false);
            }
            catch (Exception thrown)
            {
                failure = thrown;
                throw;
            }
            finally
            {
                tracking.End(call, failure);
            }
        }

        public override async IAsyncEnumerable<TResponse> StreamAsync(
            TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, [EnumeratorCancellation] CancellationToken ct)
        {
            var call = tracking.BeginCall(operation, ref context, ct);
            await foreach (var item in tracking.WatchAsync(call, caller.StreamAsync(request, items, context, call.Token), call.Token).ConfigureAwait(false))
                yield return item;
        }
    }
}
