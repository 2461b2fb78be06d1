namespace Postrider.Flow.Outcomes;

/// <summary>How an item ended.</summary>
public enum OutcomeReason
{
    /// <summary>The item was never started because the operation ended first.</summary>
    NotStarted,

    /// <summary>The item has a value.</summary>
    Succeeded,

    /// <summary>The body failed, and the fallback provided a value.</summary>
    FellBack,

    /// <summary>The body failed.</summary>
    Failed,

    /// <summary>The body took longer than the item's timeout.</summary>
    TimedOut,

    /// <summary>A breaker or limit rejected the item.</summary>
    Rejected,

    /// <summary>The operation was cancelled or stopped while the item ran.</summary>
    Cancelled,
}
