using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Postrider.Diagnostics;

/// <summary>The activity source and meter of the dispatcher, both named <c>Postrider</c>.</summary>
/// <remarks>Names follow OpenTelemetry's messaging conventions: activities <c>process MESSAGE</c> with
/// <c>messaging.system</c>, <c>messaging.operation.type</c> and <c>messaging.message.type</c>; the histogram
/// <c>messaging.process.duration</c> in seconds, with <c>error.type</c> where a call failed.</remarks>
public static class DispatchTelemetry
{
    /// <summary>The name of the source and of the meter.</summary>
    public const string Name = "Postrider";

    internal static ActivitySource Source { get; } = new(Name);

    internal static Meter Meter { get; } = new(Name);

    internal static Histogram<double> Duration { get; } = Meter.CreateHistogram<double>(
        "messaging.process.duration", "s", "How long handling a message took, middleware included.");

    internal static Activity? Start(string message)
    {
        var activity = Source.StartActivity("process " + message, ActivityKind.Internal);
        activity?.SetTag("messaging.system", "postrider")
            .SetTag("messaging.operation.type", "process")
            .SetTag("messaging.message.type", message);
        return activity;
    }

    internal static void End(Activity? activity, string message, long started, Exception? error)
    {
        if (Duration.Enabled)
        {
            var seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
            var type = new KeyValuePair<string, object?>("messaging.message.type", message);
            if (error is null)
                Duration.Record(seconds, type);
            else
                Duration.Record(seconds, type, new KeyValuePair<string, object?>("error.type", error.GetType().FullName));
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
