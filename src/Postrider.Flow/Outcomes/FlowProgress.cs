namespace Postrider.Flow.Outcomes;

/// <summary>The progress of an operation.</summary>
/// <param name="Started">Items that were started.</param>
/// <param name="Completed">Items that have completed with a result.</param>
/// <param name="Failed">Items that have failed after all retries.</param>
/// <param name="Retries">Attempts beyond the first.</param>
/// <param name="Throttled">Number of waits for the rate limit.</param>
/// <param name="InFlight">Concurrency slots in use.</param>
/// <param name="Limit">Concurrency slots in total.</param>
/// <param name="Total">Number of items in the source when it is known, or the ExpectedItems of the options.</param>
/// <param name="Elapsed">Time since the operation began.</param>
/// <param name="ItemsPerSecond">Items that ended per second, over the last reports.</param>
public readonly record struct FlowProgress(
    long Started,
    long Completed,
    long Failed,
    long Retries,
    long Throttled,
    int InFlight,
    int Limit,
    long? Total,
    TimeSpan Elapsed,
    double ItemsPerSecond)
{
    /// <summary>True for the last report: the operation has ended.</summary>
    public bool IsLast { get; init; }

    /// <summary>Items that have ended, completed or failed.</summary>
    public long Ended => Completed + Failed;

    /// <summary>From 0 to 100; null when the total is not known.</summary>
    public double? PercentComplete => Total switch { null => null, 0 => 100, { } total => 100.0 * Ended / total };

    /// <summary>The remaining time at <see cref="ItemsPerSecond"/>; null if the total or the rate is not known.</summary>
    public TimeSpan? Remaining
        => Total is { } total && ItemsPerSecond > 0 ? TimeSpan.FromSeconds(Math.Min((total - Ended) / ItemsPerSecond, 1e9)) : null;

    /// <summary>Share of the ended items that failed.</summary>
    public double ErrorRate => Ended == 0 ? 0 : (double)Failed / Ended;
}
