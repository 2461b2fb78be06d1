namespace Postrider;

/// <summary>Why a message was dead-lettered.</summary>
public enum DeadLetterReason
{
    /// <summary>Its bytes are not a valid message.</summary>
    Unreadable,

    /// <summary>Its handler failed in a way that another attempt cannot fix.</summary>
    Final,

    /// <summary>Its handler failed at the last attempt.</summary>
    Exhausted,

    /// <summary>It reached its maximum number of deliveries, and the last process that received it never reported an outcome.</summary>
    Unanswered,

    /// <summary>It was delivered after its expiry.</summary>
    Expired,

    /// <summary>There is no saga for it, and it may not start one.</summary>
    SagaNotFound,

    /// <summary>A claim check stored its body separately, and the body is no longer in the store.</summary>
    BodyMissing,

    /// <summary>An earlier message with the same key is a dead letter, and the binding has
    /// <see cref="Transports.AtLeastOnceBinding.KeepOrderBehindDeadLetters"/>.</summary>
    BehindDeadLetter,
}
