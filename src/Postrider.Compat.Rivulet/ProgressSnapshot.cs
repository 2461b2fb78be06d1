namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's view of <see cref="Flow.Outcomes.FlowProgress"/>.</summary>
public sealed class ProgressSnapshot
{
    /// <summary>Items whose body has been called.</summary>
    public int ItemsStarted { get; init; }

    /// <summary>Items that have completed with a value.</summary>
    public int ItemsCompleted { get; init; }

    /// <summary>Number of items in the source when it is known.</summary>
    public int? TotalItems { get; init; }

    /// <summary>Items that have finally failed.</summary>
    public int ErrorCount { get; init; }

    /// <summary>Time since the operation began.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>Ended items per second.</summary>
    public double ItemsPerSecond { get; init; }

    /// <summary>The estimated time for the remaining items at that rate.</summary>
    public TimeSpan? EstimatedTimeRemaining { get; init; }

    /// <summary>From 0 to 100.</summary>
    public double? PercentComplete { get; init; }
}
