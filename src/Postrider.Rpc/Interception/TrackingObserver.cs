namespace Postrider.Rpc.Interception;

/// <summary>Reports calls to a tracker.</summary>
internal sealed class TrackingObserver(ICallTracker tracker, TimeProvider time, CallSide side) : CallObserver<TrackedCall>
{
    public override bool ReadsHeaders => true;

    /// <summary>The client generates the call's id; the server uses the received one.</summary>
    public override TrackedCall Begin(Operation operation, ref CallContext? context, ref CancellationToken ct)
    {
        if (side == CallSide.Caller)
            (context ??= new CallContext()).Headers[RpcTracking.MessageId] ??= NewId();
        var id = context?.HeadersOrNull?[RpcTracking.MessageId] ?? NewId();
        var call = new TrackedCall(operation, side, id, context, time, ct);
        ct = call.Token;
        try
        {
            tracker.OnBegan(call);
        }
        catch (Exception failure)
        {
            call.End(failure);
            throw;
        }

        return call;
    }

    public override void CountItem(TrackedCall call) => call.CountItem();

    public override void End(Operation operation, TrackedCall call, Exception? failure, bool isLeft)
    {
        // An abandoned enumeration throws nothing: the call is recorded as cancelled.
        call.End(failure ?? (isLeft ? new OperationCanceledException("The stream was abandoned before its end.") : null));
        tracker.OnEnded(call);
    }

    private static string NewId() => Guid.CreateVersion7().ToString("N");
}
