using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Postrider.Diagnostics;

/// <summary>The activity source and meter of the dispatcher, both named <c>Postrider</c>.</summary>
/// <remarks>Names follow OpenTelemetry's messaging conventions: activities <c>process MESSAGE</c> with
/// <c>messaging.system</c>, <c>messaging.operation.name</c>, <c>messaging.operation.type</c> and
/// <c>messaging.destination.name</c> (the message's type), and <c>process DESTINATION</c> of the kind consumer around a message that arrived
/// over a transport, as a child of its sender's activity and with its baggage; the histogram <c>messaging.process.duration</c> in seconds with the
/// same attributes, and <c>error.type</c> for failed calls.</remarks>
public static class DispatchTelemetry
{
    /// <summary>The name of the source and of the meter.</summary>
    public const string Name = "Postrider";

    internal static ActivitySource Source { get; } = new(Name);

    internal static Meter Meter { get; } = new(Name);

    // In seconds: handlers in memory take microseconds, so the boundaries begin below those that the conventions advise.
    internal static Histogram<double> Duration { get; } = Meter.CreateHistogram<double>(
        "messaging.process.duration",
        "s",
        "Duration of handling a message, including middleware.",
        null,
        new InstrumentAdvice<double> { HistogramBucketBoundaries = [0.000_01, 0.000_1, 0.001, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] });

    internal static bool IsListenedTo => Source.HasListeners() || Duration.Enabled;

    internal static Activity? Start(string message)
    {
        var activity = Source.StartActivity("process " + message, ActivityKind.Internal);
        if (activity is { IsAllDataRequested: true })
        {
            activity.SetTag("messaging.system", "postrider")
                .SetTag("messaging.operation.name", "process")
                .SetTag("messaging.operation.type", "process")
                .SetTag("messaging.destination.name", message);
        }

        return activity;
    }

    internal static void End(Activity? activity, string message, long started, Exception? error)
    {
        if (Duration.Enabled)
        {
            var seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
            var tags = new TagList
            {
                { "messaging.destination.name", message },
                { "messaging.operation.name", "process" },
                { "messaging.system", "postrider" },
            };
            if (error is not null)
                tags.Add("error.type", error.GetType().FullName);
            Duration.Record(seconds, tags);
        }

        if (activity is null)
            return;
        if (error is not null)
        {
            activity.SetStatus(ActivityStatusCode.Error, error.Message);
            activity.SetTag("error.type", error.GetType().FullName);
        }

        activity.Dispose();
    }
}
