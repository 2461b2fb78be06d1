using System.Runtime.CompilerServices;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Tracing;

/// <summary>A channel whose calls are activities.</summary>
internal sealed class TracedChannel(RpcChannel inner) : RpcChannel
{
    public override Caller<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
        => new TracedCaller<TRequest, TItem, TResponse>(inner.Bind(operation), operation);

    public override ValueTask DisposeAsync() => inner.DisposeAsync();

    private sealed class TracedCaller<TRequest, TItem, TResponse>(Caller<TRequest, TItem, TResponse> caller, Operation operation) : Caller<TRequest, TItem, TResponse>
    {
        public override ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
            => CallActivity.IsHeard ? CallTracedAsync(request, items, context, ct) : caller.CallAsync(request, items, context, ct);

        public override IAsyncEnumerable<TResponse> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
            => CallActivity.IsHeard ? StreamTracedAsync(request, items, context, ct) : caller.StreamAsync(request, items, context, ct);

        private async ValueTask<TResponse> CallTracedAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        {
            using var activity = CallActivity.StartCall(operation, ref context);
            try
            {
                return await caller.CallAsync(request, items, context, ct).ConfigureAwait(false);
            }
            catch (Exception failure)
            {
                CallActivity.Fail(activity, failure);
                throw;
            }
        }

        private async IAsyncEnumerable<TResponse> StreamTracedAsync(
            TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, [EnumeratorCancellation] CancellationToken ct)
        {
            using var activity = CallActivity.StartCall(operation, ref context);
            await foreach (var item in CallActivity.WatchAsync(activity, caller.StreamAsync(request, items, context, ct), ct).ConfigureAwait(false))
                yield return item;
        }
    }
}
