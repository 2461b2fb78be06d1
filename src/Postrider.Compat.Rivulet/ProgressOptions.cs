namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's progress.</summary>
public sealed class ProgressOptions
{
    /// <summary>Rivulet's defaults.</summary>
    public ProgressOptions()
    {
    }

    /// <summary>A copy.</summary>
    /// <param name="original">What is copied; null gives the defaults.</param>
    public ProgressOptions(ProgressOptions? original)
    {
        if (original is null)
            return;
        ReportInterval = original.ReportInterval;
        OnProgress = original.OnProgress;
    }

    /// <summary>The time between two reports.</summary>
    public TimeSpan ReportInterval { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Told how far the operation is; not waited for.</summary>
    public Func<ProgressSnapshot, ValueTask>? OnProgress { get; init; }
}
