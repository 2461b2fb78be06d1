namespace Postrider;

/// <summary>One delivery of a message that its transport keeps until it is settled: a durable stream's, a queue's.</summary>
/// <remarks>Made by the transport, ended by whoever received the message: a delivery that did not fail was handled. Not
/// thread-safe; the transport looks at the end after the receiver has returned.</remarks>
public sealed class MessageDelivery
{
    /// <summary>How often the message was delivered, this time included: 1 for the first.</summary>
    public required long Count { get; init; }

    /// <summary>Its place in what the transport keeps: a stream's sequence, a partition's offset.</summary>
    public ulong Sequence { get; init; }

    /// <summary>When it was stored; null where the transport does not tell.</summary>
    public DateTimeOffset? StoredAt { get; init; }

    /// <summary>What the handling ended with; null for success.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Whether the bytes were no message: no later delivery can end better.</summary>
    public bool IsUnreadable { get; private set; }

    /// <summary>Says that the message was not handled.</summary>
    /// <param name="failure">Why.</param>
    /// <param name="isUnreadable">Whether its bytes are no message.</param>
    public void Fail(Exception failure, bool isUnreadable = false)
    {
        ArgumentNullException.ThrowIfNull(failure);
        Failure = failure;
        IsUnreadable |= isUnreadable;
    }
}
