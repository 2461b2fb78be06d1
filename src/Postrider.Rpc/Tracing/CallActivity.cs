using System.Diagnostics;
using System.Runtime.CompilerServices;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Tracing;

/// <summary>The activity of one call, at either end.</summary>
/// <remarks>Source: W3C Trace Context; OpenTelemetry's conventions for RPC.</remarks>
internal static class CallActivity
{
    private const string Parent = "traceparent";
    private const string State = "tracestate";

    private static readonly ActivitySource s_source = new(RpcTracing.SourceName);

    public static bool IsHeard => s_source.HasListeners();

    /// <summary>Begins the caller's and puts it into the call's headers.</summary>
    public static Activity? StartCall(Operation operation, ref CallContext? context)
    {
        var activity = Start(operation, ActivityKind.Client, default);
        if (activity?.Id is not { } id || activity.IdFormat != ActivityIdFormat.W3C)
            return activity;
        context ??= new CallContext();
        context.Headers[Parent] = id;
        if (activity.TraceStateString is { Length: > 0 } state && RpcHeaders.IsValue(state))
            context.Headers[State] = state;
        return activity;
    }

    /// <summary>Begins the server's, under the caller's or under what the transport has begun for it already.</summary>
    public static Activity? StartServing(Operation operation, CallContext? context)
    {
        if (!IsHeard)
            return null;
        if (!ActivityContext.TryParse(context?.HeadersOrNull?[Parent], context?.HeadersOrNull?[State], isRemote: true, out var caller))
            caller = default;
        return Start(operation, ActivityKind.Server, Activity.Current is { } current && current.TraceId == caller.TraceId ? default : caller);
    }

    public static void Fail(Activity? activity, Exception failure)
    {
        if (activity is null)
            return;
        activity.SetTag("rpc.response.status_code", CallEnding.Of(failure).ToString());
        activity.SetStatus(ActivityStatusCode.Error, failure.Message);
    }

    /// <summary>The items, and how they fail.</summary>
    public static async IAsyncEnumerable<T> WatchAsync<T>(Activity? activity, IAsyncEnumerable<T> items, [EnumeratorCancellation] CancellationToken ct)
    {
        var reading = items.GetAsyncEnumerator(ct);
        await using var ends = reading.ConfigureAwait(false);
        while (true)
        {
            try
            {
                if (!await reading.MoveNextAsync().ConfigureAwait(false))
                    yield break;
            }
            catch (Exception failure)
            {
                Fail(activity, failure);
                throw;
            }

            yield return reading.Current;
        }
    }

    private static Activity? Start(Operation operation, ActivityKind kind, ActivityContext parent)
    {
        var activity = s_source.StartActivity(operation.Path, kind, parent);
        activity?.SetTag("rpc.system.name", "postrider").SetTag("rpc.service", operation.Service).SetTag("rpc.method", operation.Path);
        return activity;
    }
}
