namespace Postrider;

/// <summary>The outcome for a message that a transport keeps until it is settled.</summary>
public enum SettlementKind
{
    /// <summary>It was handled: the transport removes it.</summary>
    Done,

    /// <summary>The attempt failed: the transport delivers it again after <see cref="Settlement.Delay"/>, and counts the attempt.</summary>
    Retry,

    /// <summary>Its dead letter is stored, or is to be stored with <see cref="Settlement.Headers"/>: the transport removes the message.</summary>
    DeadLetter,

    /// <summary>It was not attempted: the transport delivers it again, to any listener, without counting an attempt.</summary>
    Return,
}
