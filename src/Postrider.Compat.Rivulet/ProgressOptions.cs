namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's progress.</summary>
public sealed class ProgressOptions
{
    /// <summary>Rivulet's defaults.</summary>
    public ProgressOptions()
    {
    }

    /// <summary>Creates a copy.</summary>
    /// <param name="original">The options to copy; null for the defaults.</param>
    public ProgressOptions(ProgressOptions? original)
    {
        if (original is null)
            return;
        ReportInterval = original.ReportInterval;
        OnProgress = original.OnProgress;
    }

    /// <summary>The time between two reports.</summary>
    public TimeSpan ReportInterval { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Called with the progress; not awaited.</summary>
    public Func<ProgressSnapshot, ValueTask>? OnProgress { get; init; }
}
