namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's metrics.</summary>
public sealed class MetricsOptions
{
    /// <summary>Rivulet's defaults.</summary>
    public MetricsOptions()
    {
    }

    /// <summary>A copy.</summary>
    /// <param name="original">What is copied; null gives the defaults.</param>
    public MetricsOptions(MetricsOptions? original)
    {
        if (original is null)
            return;
        SampleInterval = original.SampleInterval;
        OnMetricsSample = original.OnMetricsSample;
    }

    /// <summary>The time between two samples.</summary>
    public TimeSpan SampleInterval { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Told the counters; not waited for.</summary>
    public Func<MetricsSnapshot, ValueTask>? OnMetricsSample { get; init; }
}
