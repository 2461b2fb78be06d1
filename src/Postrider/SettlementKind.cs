namespace Postrider;

/// <summary>What becomes of a message that a transport keeps until it is settled.</summary>
public enum SettlementKind
{
    /// <summary>It was handled: the transport forgets it.</summary>
    Done,

    /// <summary>The attempt failed: the transport delivers it again after <see cref="Settlement.Delay"/>, and counts the attempt.</summary>
    Retry,

    /// <summary>It is a dead letter, which is stored already, or is to be stored with <see cref="Settlement.Headers"/>: the transport forgets the message.</summary>
    DeadLetter,

    /// <summary>It was not attempted: the transport delivers it again, to any listener, and does not count an attempt.</summary>
    Return,
}
