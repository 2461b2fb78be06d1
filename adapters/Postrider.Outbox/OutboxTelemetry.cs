using System.Diagnostics;
using System.Diagnostics.Metrics;
using Postrider.Envelopes;

namespace Postrider.Outbox;

/// <summary>The activity source and meter of the relay, both named <c>Postrider.Outbox</c>.</summary>
/// <remarks>
/// <para>Each send is an activity <c>send DESTINATION</c> by OpenTelemetry's messaging conventions, a child of the one in which the message
/// was written, so that the trace of a message continues beyond the outbox.</para>
/// <para>Instruments, with the tag <c>postrider.transport</c>: <c>postrider.outbox.sent.messages</c>;
/// <c>postrider.outbox.failed.messages</c>, with <c>postrider.outbox.outcome</c> (<c>retry</c> or <c>dead</c>); and
/// <c>postrider.outbox.delay</c> in seconds, from the time at which a message was written, or was to be sent, until the transport has
/// accepted it.</para>
/// </remarks>
public static class OutboxTelemetry
{
    /// <summary>The name of the source and of the meter.</summary>
    public const string Name = "Postrider.Outbox";

    private static readonly ActivitySource s_source = new(Name);
    private static readonly Meter s_meter = new(Name);

    private static readonly Counter<long> s_sent = s_meter.CreateCounter<long>("postrider.outbox.sent.messages", "{message}", "Messages that the transport has accepted.");
    private static readonly Counter<long> s_failed = s_meter.CreateCounter<long>("postrider.outbox.failed.messages", "{message}", "Sends that failed because of their message.");

    // In seconds: a relay that is woken takes milliseconds; the upper end is an outage.
    private static readonly Histogram<double> s_delay = s_meter.CreateHistogram<double>(
        "postrider.outbox.delay",
        "s",
        "Time from writing a message, or from its due time, until the transport has accepted it.",
        null,
        new InstrumentAdvice<double> { HistogramBucketBoundaries = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600] });

    /// <summary>Starts the activity of a send.</summary>
    /// <param name="message">The row.</param>
    /// <param name="properties">Its properties; if there is an activity, it becomes their trace context.</param>
    /// <returns>The activity; null without a listener.</returns>
    internal static Activity? Start(OutboxMessage message, ref MessageProperties properties)
    {
        if (!s_source.HasListeners())
            return null;
        var parent = ActivityContext.TryParse(properties.TraceParent, properties.TraceState, isRemote: true, out var context) ? context : default;
        var activity = s_source.StartActivity("send " + message.Destination, ActivityKind.Producer, parent);
        if (activity is null)
            return null;
        if (activity.IsAllDataRequested)
        {
            activity.SetTag("messaging.system", "postrider")
                .SetTag("messaging.operation.name", "send")
                .SetTag("messaging.operation.type", "send")
                .SetTag("messaging.destination.name", message.Destination)
                .SetTag("messaging.message.id", message.Id)
                .SetTag("postrider.transport", message.Transport);
        }

        properties = properties with { TraceParent = activity.Id, TraceState = activity.TraceStateString is { Length: > 0 } state ? state : null };
        return activity;
    }

    /// <summary>Records a send that failed.</summary>
    internal static void Fail(Activity? activity, Exception failure)
        => activity?.SetStatus(ActivityStatusCode.Error, failure.Message).SetTag("error.type", failure.GetType().FullName);

    /// <summary>Counts a message that was sent.</summary>
    internal static void Sent(OutboxMessage message, DateTimeOffset now)
    {
        if (!s_sent.Enabled && !s_delay.Enabled)
            return;
        var tag = KeyValuePair.Create("postrider.transport", (object?)message.Transport);
        s_sent.Add(1, tag);
        var since = Math.Max(message.CreatedAt, message.DueAt);
        s_delay.Record(Math.Max(0, now.ToUnixTimeMilliseconds() - since) / 1000.0, tag);
    }

    /// <summary>Counts a message that could not be sent.</summary>
    internal static void Failed(FailedSend failed)
        => s_failed.Add(1, new("postrider.transport", failed.Message.Transport), new("postrider.outbox.outcome", failed.State == OutboxState.Dead ? "dead" : "retry"));
}
