namespace Postrider.Transport.Nats;

/// <summary>Why a message was put away.</summary>
public enum DeadLetterReason
{
    /// <summary>Its bytes are no message.</summary>
    Unreadable,

    /// <summary>Its handler failed in a way that another attempt cannot mend.</summary>
    Final,

    /// <summary>Its handler failed at the last of its attempts.</summary>
    Exhausted,

    /// <summary>It was delivered as often as it may, and the last process that took it never said how it ended.</summary>
    Unanswered,
}
