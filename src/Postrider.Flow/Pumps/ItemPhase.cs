namespace Postrider.Flow.Pumps;

/// <summary>The next step of an item on the slow path.</summary>
internal enum ItemPhase
{
    /// <summary>Not started.</summary>
    Start,

    /// <summary>An attempt starts: breaker, rate limit.</summary>
    Enter,

    /// <summary>The rate limit has granted a permit: bulkhead.</summary>
    Weigh,

    /// <summary>All gates have admitted it: the body is called.</summary>
    Call,

    /// <summary>Its key could not be read: it fails without an attempt.</summary>
    Rejected,

    /// <summary>The body has ended.</summary>
    Ended,

    /// <summary>The retry hook has ended: backoff.</summary>
    BackOff,

    /// <summary>The failure hook has ended: its decision.</summary>
    Verdict,

    /// <summary>The outcome was reported.</summary>
    Reported,
}
