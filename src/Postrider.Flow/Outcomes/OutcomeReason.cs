namespace Postrider.Flow.Outcomes;

/// <summary>How an item ended.</summary>
public enum OutcomeReason
{
    /// <summary>The item was never started: the operation ended before.</summary>
    NotStarted,

    /// <summary>There is a value.</summary>
    Succeeded,

    /// <summary>The body failed, and there is a value from the fallback.</summary>
    FellBack,

    /// <summary>The body failed.</summary>
    Failed,

    /// <summary>The body took longer than the item's timeout.</summary>
    TimedOut,

    /// <summary>A breaker or limit refused the item.</summary>
    Rejected,

    /// <summary>The operation was cancelled or stopped while the item ran.</summary>
    Cancelled,
}
