using System.Diagnostics;
using System.Diagnostics.Metrics;
using Postrider.Serialization;

namespace Postrider.Client.Sessions;

/// <summary>Traces and metrics under the name <c>Postrider.Client</c>; nothing is done while there is no listener.</summary>
/// <remarks>The trace travels in the header <c>traceparent</c>. Source: W3C Trace Context, OpenTelemetry messaging conventions.</remarks>
internal static class Telemetry
{
    private const string TraceParent = "traceparent";
    private const string TraceState = "tracestate";

    private static readonly ActivitySource Source = new(ClientTelemetry.Name);
    private static readonly Meter Meter = new(ClientTelemetry.Name);

    // The boundaries that the conventions advise, in seconds.
    private static readonly InstrumentAdvice<double> DurationAdvice = new()
    {
        HistogramBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    };

    private static readonly Histogram<double> RequestDuration =
        Meter.CreateHistogram<double>("messaging.client.operation.duration", "s", "Time from the publish of a request to its reply or failure.", null, DurationAdvice);

    // Guards the sessions that the observable instruments read.
    private static readonly Lock Gate = new();
    private static readonly List<NatsSession> Sessions = [];

    static Telemetry()
    {
        Meter.CreateObservableCounter("messaging.client.sent.messages", static () => Measure(static traffic => traffic.SentMessages), "{message}", "Messages published.");
        Meter.CreateObservableCounter("postrider.client.sent.bytes", static () => Measure(static traffic => traffic.SentBytes), "By", "Bytes of headers and payloads that were published.");
        Meter.CreateObservableCounter("messaging.client.consumed.messages", static () => Measure(static traffic => traffic.ReceivedMessages), "{message}", "Messages received.");
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
        using var activity = Source.StartActivity($"publish {NameOf(subject)}", ActivityKind.Producer);
        if (activity is null) return headers;
        Describe(activity, "publish", "send", subject);
        activity.SetTag("messaging.message.body.size", payloadBytes);
        activity.SetTag("server.address", session.ServerConnection?.Server.Address.Host);
        if (session.ServerConnection is { SupportsHeaders: false }) return headers;
        // The caller's headers are not changed.
        var traced = new NatsHeaders();
        if (headers is not null)
            foreach (var (name, value) in headers) traced.Add(name, value);
        ActivityBaggage.AddTo(traced, activity);
        traced[TraceParent] = activity.Id;
        traced[TraceState] = string.IsNullOrEmpty(activity.TraceStateString) ? null : activity.TraceStateString;
        return traced;
    }

    /// <summary>Starts the span around a handler, as a child of the publisher's.</summary>
    public static Activity? StartProcess(string subject, NatsHeaders? headers, int sizeBytes)
    {
        if (IsInternal(subject)) return null;
        var parent = ActivityContext.TryParse(headers?[TraceParent], headers?[TraceState], isRemote: true, out var context) ? context : default;
        var activity = Source.StartActivity($"process {NameOf(subject)}", ActivityKind.Consumer, parent);
        if (activity is null) return null;
        Describe(activity, "process", "process", subject);
        // Headers and payload: the size of the payload alone is not known here.
        activity.SetTag("messaging.message.envelope.size", sizeBytes);
        if (headers is not null) ActivityBaggage.Read(headers, activity);
        return activity;
    }

    /// <summary>Marks the span around a handler as failed.</summary>
    public static void Failed(Activity? activity, Exception error)
        => activity?.SetStatus(ActivityStatusCode.Error, error.Message).SetTag("error.type", error.GetType().FullName);

    /// <summary>Records the duration of a request.</summary>
    /// <param name="subject">Its subject.</param>
    /// <param name="duration">Until its reply or failure.</param>
    /// <param name="error">The failure; null for a reply.</param>
    public static void RequestEnded(string subject, TimeSpan duration, Exception? error)
    {
        var tags = new TagList
        {
            { "messaging.destination.name", subject },
            { "messaging.operation.name", "request" },
            { "messaging.system", "nats" },
        };
        if (error is not null) tags.Add("error.type", error.GetType().FullName);
        RequestDuration.Record(duration.TotalSeconds, tags);
    }

    // Requests to JetStream, acknowledgements and the questions of service discovery: the client's own, not the application's messages.
    private static bool IsInternal(string subject)
        => subject.StartsWith("$JS.", StringComparison.Ordinal) || subject.StartsWith("$SRV.", StringComparison.Ordinal);

    // An inbox has a name of its own for each request: names of spans must be few.
    private static string NameOf(string subject) => IsTemporary(subject) ? "(temporary)" : subject;

    private static bool IsTemporary(string subject) => subject.StartsWith("_INBOX.", StringComparison.Ordinal);

    private static void Describe(Activity activity, string operation, string type, string subject)
    {
        activity.SetTag("messaging.system", "nats");
        activity.SetTag("messaging.operation.name", operation);
        activity.SetTag("messaging.operation.type", type);
        activity.SetTag("messaging.destination.name", subject);
        if (IsTemporary(subject)) activity.SetTag("messaging.destination.temporary", true);
    }

    // One measurement for each name, because collectors keep only the last one of several with the same tags.
    private static IEnumerable<Measurement<long>> Measure(Func<TrafficCounters, long> value)
    {
        lock (Gate)
        {
            return
            [
                .. Sessions.GroupBy(static session => session.Options.Name, StringComparer.Ordinal)
                    .Select(clients => new Measurement<long>(clients.Sum(session => value(session.Traffic)), new KeyValuePair<string, object?>("client.name", clients.Key))),
            ];
        }
    }
}
