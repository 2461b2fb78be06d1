namespace Postrider;

/// <summary>A delivery of a message that its transport keeps until it is settled, such as a durable stream or a queue.</summary>
/// <remarks>Created by the transport and completed by the receiver: a delivery that did not fail was handled. Not thread-safe; the
/// transport reads the result after the receiver has returned.</remarks>
public sealed class MessageDelivery
{
    /// <summary>The delivery count of the message, including this delivery: 1 for the first.</summary>
    public required long Count { get; init; }

    /// <summary>Its position in the transport: the sequence in a stream, the offset in a partition.</summary>
    public ulong Sequence { get; init; }

    /// <summary>The time when it was stored; null if the transport does not provide it.</summary>
    public DateTimeOffset? StoredAt { get; init; }

    /// <summary>The error of the handling; null for success.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Whether the bytes could not be decoded, so that another delivery cannot succeed.</summary>
    public bool IsUnreadable { get; private set; }

    /// <summary>Marks the message as failed.</summary>
    /// <param name="failure">The error.</param>
    /// <param name="isUnreadable">Whether its bytes could not be decoded.</param>
    public void Fail(Exception failure, bool isUnreadable = false)
    {
        ArgumentNullException.ThrowIfNull(failure);
        Failure = failure;
        IsUnreadable |= isUnreadable;
    }
}
