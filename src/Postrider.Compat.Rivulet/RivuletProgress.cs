using Postrider.Flow.Outcomes;
using Postrider.Resilience;

namespace Postrider.Compat.Rivulet;

/// <summary>Passes reports to Rivulet's two callbacks, each at its own interval and once at the end.</summary>
internal sealed class RivuletProgress(ProgressOptions? progress, MetricsOptions? metrics) : IProgress<FlowProgress>
{
    private TimeSpan _nextProgress = progress?.ReportInterval ?? TimeSpan.MaxValue;
    private TimeSpan _nextSample = metrics?.SampleInterval ?? TimeSpan.MaxValue;

    /// <summary>The interval of reports.</summary>
    public TimeSpan Interval => _nextProgress < _nextSample ? _nextProgress : _nextSample;

    public void Report(FlowProgress value)
    {
        var last = value.IsLast;
        if (progress?.OnProgress is { } onProgress && (last || value.Elapsed >= _nextProgress))
        {
            _nextProgress = value.Elapsed + progress.ReportInterval;
            Notify("ProgressOptions.OnProgress", onProgress, new ProgressSnapshot
            {
                ItemsStarted = (int)value.Started,
                ItemsCompleted = (int)value.Completed,
                TotalItems = (int?)value.Total,
                ErrorCount = (int)value.Failed,
                Elapsed = value.Elapsed,
                ItemsPerSecond = value.ItemsPerSecond,
                EstimatedTimeRemaining = value.Remaining,
                PercentComplete = value.PercentComplete,
            });
        }
        if (metrics?.OnMetricsSample is { } onSample && (last || value.Elapsed >= _nextSample))
        {
            _nextSample = value.Elapsed + metrics.SampleInterval;
            Notify("MetricsOptions.OnMetricsSample", onSample, new MetricsSnapshot
            {
                ActiveWorkers = value.InFlight,
                ItemsStarted = value.Started,
                ItemsCompleted = value.Completed,
                TotalRetries = value.Retries,
                TotalFailures = value.Failed,
                ThrottleEvents = value.Throttled,
                Elapsed = value.Elapsed,
                ItemsPerSecond = value.ItemsPerSecond,
                ErrorRate = value.ErrorRate,
            });
        }
    }

    // An exception in one callback does not affect the other.
    private static void Notify<T>(string name, Func<T, ValueTask> callback, T value)
    {
        try
        {
            Hook.Run(name, callback(value));
        }
        catch (Exception thrown)
        {
            ObserverErrors.Report(name, thrown);
        }
    }
}
