namespace Postrider;

/// <summary>A delivery of a message that its transport keeps until it is settled, such as a durable stream or a queue.</summary>
/// <remarks>Created by the transport, which derives its own type from this one, and completed by the receiver: a delivery that did not
/// fail was handled. Not thread-safe; the result is read after the receiver has returned.</remarks>
public abstract class MessageDelivery
{
    private long _count;

    /// <summary>The delivery count of the message, including this delivery: 1 for the first.</summary>
    public required long Count
    {
        get => _count;
        init => _count = value;
    }

    /// <summary>Its position in the transport: the sequence in a stream, the offset in a partition; 0 if the transport has none.</summary>
    public ulong Sequence { get; init; }

    /// <summary>The time when it was stored; null if the transport does not provide it.</summary>
    public DateTimeOffset? StoredAt { get; init; }

    /// <summary>The name of the stream or queue that keeps it; null if it has none.</summary>
    public string? Store { get; init; }

    /// <summary>The name of the consumer that delivered it; null if it has none.</summary>
    public string? Consumer { get; init; }

    /// <summary>The error of the handling; null for success.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Whether the bytes could not be decoded, so that another delivery cannot succeed.</summary>
    public bool IsUnreadable { get; private set; }

    /// <summary>Whether a <see cref="Transports.DeliveryProcessor"/> settles the message, and logs its failure with what follows.</summary>
    internal bool IsProcessed { get; set; }

    /// <summary>The reason for an immediate dead letter, whatever the attempts; null to follow the retry policy.</summary>
    internal DeadLetterReason? Refusal { get; private set; }

    internal Func<ValueTask>? Done { get; private set; }

    /// <summary>Marks the message as failed.</summary>
    /// <param name="failure">The error.</param>
    /// <param name="isUnreadable">Whether its bytes could not be decoded.</param>
    public void Fail(Exception failure, bool isUnreadable = false)
    {
        ArgumentNullException.ThrowIfNull(failure);
        Failure = failure;
        IsUnreadable |= isUnreadable;
    }

    /// <summary>Has the message become a dead letter at this attempt, if it fails.</summary>
    internal void Refuse(DeadLetterReason reason) => Refusal = reason;

    /// <summary>Registers an action to run when the transport has settled the message because it was handled.</summary>
    internal void WhenDone(Func<ValueTask> act) => Done = act;

    /// <summary>Clears the failure of a handling that is repeated within the same delivery.</summary>
    internal void Reset() => (Failure, IsUnreadable, Refusal) = (null, false, null);

    /// <summary>Begins another attempt within the same delivery.</summary>
    internal void Repeat()
    {
        _count++;
        Reset();
    }

    /// <summary>Settles the message in the transport's own way. Called once, by <c>DeliveryProcessor</c>.</summary>
    /// <param name="settlement">The outcome for the message.</param>
    /// <returns>Completes when the transport has been informed.</returns>
    /// <remarks>A message that cannot be settled, because the connection is lost, is delivered again: the exception is for the log.</remarks>
    protected internal abstract ValueTask SettleAsync(Settlement settlement);
}
