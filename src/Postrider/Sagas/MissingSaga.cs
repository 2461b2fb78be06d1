namespace Postrider.Sagas;

/// <summary>The treatment of a message that may not start a saga, if there is none with its id.</summary>
/// <remarks>A saga that has ended is not missing: its messages are acknowledged and ignored for <see cref="SagaOptions.KeepFor"/>.</remarks>
public enum MissingSaga
{
    /// <summary>The handling fails with <see cref="PostriderError.SagaNotFound"/>, so that the message is delivered again: the one that starts the
    /// saga may still be on its way. After the last attempt it is dead-lettered.</summary>
    Retry,

    /// <summary>It is dead-lettered immediately, with the reason <see cref="DeadLetterReason.SagaNotFound"/>.</summary>
    DeadLetter,

    /// <summary>It is acknowledged, with a line in the log.</summary>
    Ignore,
}
