using System.Diagnostics;
using Postrider.Rpc.Operations;
using Postrider.Serialization;

namespace Postrider.Rpc.Interception;

/// <summary>Creates an activity for each call.</summary>
/// <remarks>Source: W3C Trace Context and W3C Baggage; OpenTelemetry's conventions for RPC.</remarks>
internal sealed class TracingObserver : CallObserver<Activity?>
{
    private const string Parent = "traceparent";
    private const string State = "tracestate";

    private static readonly ActivitySource s_source = new(RpcTracing.SourceName);

    private readonly ActivityKind _kind;

    private TracingObserver(ActivityKind kind) => _kind = kind;

    /// <summary>The client's observer, which adds the activity to the headers of the call.</summary>
    public static TracingObserver Client { get; } = new(ActivityKind.Client);

    /// <summary>The server's observer, whose activity is a child of the client's, or of one that the transport has started.</summary>
    public static TracingObserver Server { get; } = new(ActivityKind.Server);

    public override bool IsOn => s_source.HasListeners();

    public override bool ReadsHeaders => true;

    public override Activity? Begin(Operation operation, ref CallContext? context, ref CancellationToken ct)
    {
        var activity = s_source.StartActivity(operation.Path, _kind, _kind == ActivityKind.Server ? ParentOf(context) : default);
        activity?.SetTag("rpc.system.name", "postrider").SetTag("rpc.service", operation.Service).SetTag("rpc.method", operation.Path);
        if (_kind == ActivityKind.Client && activity is { Id: { } id, IdFormat: ActivityIdFormat.W3C })
        {
            context ??= new CallContext();
            context.Headers[Parent] = id;
            if (activity.TraceStateString is { Length: > 0 } state && RpcHeaders.IsValue(state))
                context.Headers[State] = state;
            ActivityBaggage.AddTo(context.Headers, activity, static value => RpcHeaders.IsValue(value));
        }
        else if (_kind == ActivityKind.Server && activity is not null && context?.HeadersOrNull is { } headers)
        {
            ActivityBaggage.Read(headers, activity);
        }

        return activity;
    }

    public override void End(Operation operation, Activity? call, Exception? failure, bool isLeft)
    {
        if (failure is not null)
            call?.SetTag("rpc.response.status_code", CallOutcome.StatusFor(failure).ToString()).SetStatus(ActivityStatusCode.Error, failure.Message);
        call?.Dispose();
    }

    private static ActivityContext ParentOf(CallContext? context)
    {
        if (!ActivityContext.TryParse(context?.HeadersOrNull?[Parent], context?.HeadersOrNull?[State], isRemote: true, out var caller))
            caller = default;
        return Activity.Current is { } current && current.TraceId == caller.TraceId ? default : caller;
    }
}
