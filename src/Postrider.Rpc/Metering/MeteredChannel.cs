using System.Diagnostics;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Metering;

/// <summary>A channel whose calls are measured.</summary>
internal sealed class MeteredChannel(RpcChannel inner) : RpcChannel
{
    public override Caller<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
        => new MeteredCaller<TRequest, TItem, TResponse>(inner.Bind(operation), operation);

    public override ValueTask DisposeAsync() => inner.DisposeAsync();

    private sealed class MeteredCaller<TRequest, TItem, TResponse>(Caller<TRequest, TItem, TResponse> caller, Operation operation) : Caller<TRequest, TItem, TResponse>
    {
        public override ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        {
            if (!CallMeter.Client.Enabled)
                return caller.CallAsync(request, items, context, ct);
            var began = Stopwatch.GetTimestamp();
            try
            {
                return CallMeter.MeasureAsync(CallMeter.Client, operation, caller.CallAsync(request, items, context, ct), began);
            }
            catch (Exception failure)
            {
                CallMeter.Record(CallMeter.Client, operation, began, failure);
                throw;
            }
        }

        public override IAsyncEnumerable<TResponse> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
            => CallMeter.Client.Enabled
                ? CallMeter.MeasureAsync(CallMeter.Client, operation, caller.StreamAsync(request, items, context, ct), ct)
                : caller.StreamAsync(request, items, context, ct);
    }
}
