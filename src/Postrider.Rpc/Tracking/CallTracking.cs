using System.Runtime.CompilerServices;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Tracking;

/// <summary>Tells a tracker of calls, at either end.</summary>
internal sealed class CallTracking(ICallTracker tracker, TimeProvider time)
{
    /// <summary>The caller's: gives the call its id.</summary>
    public TrackedCall BeginCall(Operation operation, ref CallContext? context, CancellationToken ct)
    {
        context ??= new CallContext();
        var id = context.Headers[RpcTracking.MessageId] ??= NewId();
        return Begin(new(operation, CallSide.Caller, id, context, time, ct));
    }

    /// <summary>The server's: takes the caller's id.</summary>
    public TrackedCall BeginServing(Operation operation, CallContext? context, CancellationToken ct)
        => Begin(new(operation, CallSide.Server, context?.HeadersOrNull?[RpcTracking.MessageId] ?? NewId(), context, time, ct));

    public void End(TrackedCall call, Exception? failure)
    {
        call.End(failure);
        tracker.OnEnded(call);
    }

    /// <summary>The items, counted.</summary>
    public async IAsyncEnumerable<T> WatchAsync<T>(TrackedCall call, IAsyncEnumerable<T> items, [EnumeratorCancellation] CancellationToken ct)
    {
        Exception? failure = null;
        var isOver = false;
        try
        {
            var reading = items.GetAsyncEnumerator(ct);
            await using var ends = reading.ConfigureAwait(false);
            while (true)
            {
                try
                {
                    if (!await reading.MoveNextAsync().ConfigureAwait(false))
                        break;
                }
                catch (Exception thrown)
                {
                    failure = thrown;
                    throw;
                }

                call.CountItem();
                yield return reading.Current;
            }

            isOver = true;
        }
        finally
        {
            // A loop that was left throws nothing: the call was given up.
            End(call, failure ?? (isOver ? null : new OperationCanceledException("The stream was left before its end.")));
        }
    }

    private static string NewId() => Guid.CreateVersion7().ToString("N");

    private TrackedCall Begin(TrackedCall call)
    {
        tracker.OnBegan(call);
        return call;
    }
}
