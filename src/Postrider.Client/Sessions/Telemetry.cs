using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Postrider.Client.Sessions;

/// <summary>Traces and metrics under the name <c>Postrider.Client</c>; nothing is done while there is no listener.</summary>
/// <remarks>The trace travels in the header <c>traceparent</c>. Source: W3C Trace Context, OpenTelemetry messaging conventions.</remarks>
internal static class Telemetry
{
    public const string Name = "Postrider.Client";

    private const string TraceParent = "traceparent";
    private const string TraceState = "tracestate";

    private static readonly ActivitySource Source = new(Name);
    private static readonly Meter Meter = new(Name);
    private static readonly Histogram<double> RequestDuration =
        Meter.CreateHistogram<double>("postrider.client.request.duration", "s", "Time from the publish of a request to its reply or failure.");

    // Guards the sessions that the observable instruments read.
    private static readonly Lock Gate = new();
    private static readonly List<NatsSession> Sessions = [];

    static Telemetry()
    {
        Meter.CreateObservableCounter("postrider.client.sent.messages", static () => Measure(static traffic => traffic.SentMessages), "{message}", "Messages published.");
        Meter.CreateObservableCounter("postrider.client.sent.bytes", static () => Measure(static traffic => traffic.SentBytes), "By", "Bytes of headers and payloads that were published.");
        Meter.CreateObservableCounter("postrider.client.received.messages", static () => Measure(static traffic => traffic.ReceivedMessages), "{message}", "Messages received.");
        Meter.CreateObservableCounter("postrider.client.received.bytes", static () => Measure(static traffic => traffic.ReceivedBytes), "By", "Bytes of headers and payloads that were received.");
        Meter.CreateObservableCounter("postrider.client.dropped.messages", static () => Measure(static traffic => traffic.DroppedMessages), "{message}", "Messages that were dropped because their subscription was full.");
        Meter.CreateObservableCounter("postrider.client.reconnects", static () => Measure(static traffic => traffic.Reconnects), "{reconnect}", "Connections that were re-established.");
    }

    public static bool IsTracing => Source.HasListeners();

    public static bool IsTimingRequests => RequestDuration.Enabled;

    public static void Add(NatsSession session)
    {
        lock (Gate) Sessions.Add(session);
    }

    public static void Remove(NatsSession session)
    {
        lock (Gate) Sessions.Remove(session);
    }

    /// <summary>Starts the span of a publish and adds it to the headers.</summary>
    /// <returns>The headers to send.</returns>
    public static NatsHeaders? StartPublish(NatsSession session, string subject, NatsHeaders? headers, int payloadBytes)
    {
        if (IsInternal(subject)) return headers;
        using var activity = Source.StartActivity($"{subject} publish", ActivityKind.Producer);
        if (activity is null) return headers;
        Describe(activity, "publish", subject, payloadBytes);
        activity.SetTag("server.address", session.ServerConnection?.Server.Address.Host);
        if (session.ServerConnection is { SupportsHeaders: false }) return headers;
        // The caller's headers are not changed.
        var traced = new NatsHeaders();
        if (headers is not null)
            foreach (var (name, value) in headers) traced.Add(name, value);
        traced[TraceParent] = activity.Id;
        traced[TraceState] = string.IsNullOrEmpty(activity.TraceStateString) ? null : activity.TraceStateString;
        return traced;
    }

    /// <summary>Starts the span around a handler, as a child of the publisher's.</summary>
    public static Activity? StartProcess(string subject, NatsHeaders? headers, int payloadBytes)
    {
        if (IsInternal(subject)) return null;
        var parent = ActivityContext.TryParse(headers?[TraceParent], headers?[TraceState], isRemote: true, out var context) ? context : default;
        var activity = Source.StartActivity($"{subject} process", ActivityKind.Consumer, parent);
        if (activity is not null) Describe(activity, "process", subject, payloadBytes);
        return activity;
    }

    /// <summary>Marks the span around a handler as failed.</summary>
    public static void Failed(Activity? activity, Exception error)
        => activity?.SetStatus(ActivityStatusCode.Error, error.Message).SetTag("error.type", error.GetType().FullName);

    public static void RequestEnded(string subject, TimeSpan duration, bool failed)
        => RequestDuration.Record(duration.TotalSeconds, new("messaging.destination.name", subject), new("error", failed));

    // Requests to JetStream, acknowledgements and the questions of service discovery: the client's own, not the application's messages.
    private static bool IsInternal(string subject)
        => subject.StartsWith("$JS.", StringComparison.Ordinal) || subject.StartsWith("$SRV.", StringComparison.Ordinal);

    private static void Describe(Activity activity, string operation, string subject, int payloadBytes)
    {
        activity.SetTag("messaging.system", "nats");
        activity.SetTag("messaging.operation.type", operation);
        activity.SetTag("messaging.destination.name", subject);
        activity.SetTag("messaging.message.body.size", payloadBytes);
    }

    private static IEnumerable<Measurement<long>> Measure(Func<TrafficCounters, long> value)
    {
        lock (Gate)
            return [.. Sessions.Select(session => new Measurement<long>(value(session.Traffic), new KeyValuePair<string, object?>("client.name", session.Options.Name)))];
    }
}
