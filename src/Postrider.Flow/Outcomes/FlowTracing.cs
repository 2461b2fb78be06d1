using System.Diagnostics;

namespace Postrider.Flow.Outcomes;

/// <summary>Activities of the operations and stages that have a <see cref="FlowMeter"/>: the source "Postrider.Flow".</summary>
/// <remarks>An activity has the meter's name and lasts from the start of the operation to its end; bodies run within it. Its tags are the
/// counts at the end, with the names of the meter's instruments: flow.items.started, .completed, .failed, flow.retries, flow.throttled.
/// A stage of a pipeline runs within the one that reads it.</remarks>
public static class FlowTracing
{
    /// <summary>The source's name, for AddSource and listeners.</summary>
    public const string SourceName = "Postrider.Flow";

    private static readonly ActivitySource s_source = new(SourceName);

    /// <summary>Starts the activity of an operation, and makes it the current one.</summary>
    /// <returns>The activity; null without a listener.</returns>
    internal static Activity? Start(FlowMeter? meter) => meter is null || !s_source.HasListeners() ? null : s_source.StartActivity(meter.Operation);

    /// <summary>Ends an activity. The current one stays as it is.</summary>
    internal static void End(Activity activity, in FlowProgress counts, Exception? failure)
    {
        activity.SetTag("flow.items.started", counts.Started)
            .SetTag("flow.items.completed", counts.Completed)
            .SetTag("flow.items.failed", counts.Failed)
            .SetTag("flow.retries", counts.Retries)
            .SetTag("flow.throttled", counts.Throttled);
        if (failure is not null)
            activity.SetStatus(ActivityStatusCode.Error, failure.Message).SetTag("error.type", failure.GetType().FullName);
        var current = Activity.Current;
        activity.Stop();
        if (!ReferenceEquals(current, activity))
            MakeCurrent(current);
    }

    /// <summary>Makes an activity the current one; none if it has ended meanwhile.</summary>
    internal static void MakeCurrent(Activity? activity) => Activity.Current = activity is { IsStopped: true } ? null : activity;
}
