namespace Postrider.Flow.Pumps;

/// <summary>What an item that takes the long way does next.</summary>
internal enum ItemPhase
{
    /// <summary>Nothing has happened to it.</summary>
    Start,

    /// <summary>An attempt begins: breaker, rate limit.</summary>
    Enter,

    /// <summary>The rate limit has let it pass: bulkhead.</summary>
    Weigh,

    /// <summary>Every gate has let it pass: the body is called.</summary>
    Call,

    /// <summary>Its key could not be read: it fails without an attempt.</summary>
    Rejected,

    /// <summary>The body has ended.</summary>
    Ended,

    /// <summary>The retry hook has ended: backoff.</summary>
    BackOff,

    /// <summary>The failure hook has ended: its verdict.</summary>
    Verdict,

    /// <summary>The outcome was reported.</summary>
    Reported,
}
