namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's metrics.</summary>
public sealed class MetricsOptions
{
    /// <summary>Rivulet's defaults.</summary>
    public MetricsOptions()
    {
    }

    /// <summary>Creates a copy.</summary>
    /// <param name="original">The options to copy; null for the defaults.</param>
    public MetricsOptions(MetricsOptions? original)
    {
        if (original is null)
            return;
        SampleInterval = original.SampleInterval;
        OnMetricsSample = original.OnMetricsSample;
    }

    /// <summary>The time between two samples.</summary>
    public TimeSpan SampleInterval { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Called with the counters; not awaited.</summary>
    public Func<MetricsSnapshot, ValueTask>? OnMetricsSample { get; init; }
}
