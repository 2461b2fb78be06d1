namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's view of <see cref="Flow.Outcomes.FlowProgress"/>.</summary>
public sealed class MetricsSnapshot
{
    /// <summary>Concurrency slots in use.</summary>
    public int ActiveWorkers { get; init; }

    /// <summary>Always 0: there is no queue.</summary>
    public int QueueDepth { get; init; }

    /// <summary>Items whose body has been called.</summary>
    public long ItemsStarted { get; init; }

    /// <summary>Items that have completed with a value.</summary>
    public long ItemsCompleted { get; init; }

    /// <summary>Attempts beyond the first.</summary>
    public long TotalRetries { get; init; }

    /// <summary>Items that have finally failed.</summary>
    public long TotalFailures { get; init; }

    /// <summary>Number of waits for the rate limit.</summary>
    public long ThrottleEvents { get; init; }

    /// <summary>Always 0.</summary>
    public long DrainEvents { get; init; }

    /// <summary>Time since the operation began.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>Ended items per second.</summary>
    public double ItemsPerSecond { get; init; }

    /// <summary>Share of the ended items that failed.</summary>
    public double ErrorRate { get; init; }
}
