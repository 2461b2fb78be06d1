// Hot path: consumers and streams -> this -> MessageBuffer. Allocations: none once its buffers have grown.
using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Messages that are published in the order in which they were added, whichever threads add and publish them.</summary>
/// <param name="tree">The account's subscriptions.</param>
/// <param name="gate">The owner's lock: guards the two buffers and the turn.</param>
/// <remarks>One thread at a time publishes; concurrent callers leave their messages to it. Before a turn ends
/// its frames are in the subscribers' outboxes, so the frames of the next turn come after them.</remarks>
internal sealed class PublishQueue(SubjectTree<Subscription> tree, FairLock gate) : IFlushCallback
{
    // A published message may come back to the owner, which adds it again: after this many turns the rest is left to a step of the batch.
    private const int MaxTurns = 4;

    private MessageBuffer _added = new();
    private MessageBuffer _publishing = new();
    private bool _isPublishing;

    // The batch that continues an unfinished turn, and the position; only changed by the thread whose turn it is.
    private SendBatch? _unfinished;
    private int _at;

    /// <summary>The number of waiting bytes. The owner's lock is held.</summary>
    public int Bytes => _added.Bytes;

    /// <summary>Adds a message whose shown subject is the one it is sent to. The owner's lock is held.</summary>
    public void Add(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
        => _added.Add(subject, subject, [], headers, payload);

    /// <summary>Adds a message: see <see cref="InternalPublisher"/>. The owner's lock is held; everything is copied.</summary>
    public void Add(
        ReadOnlySpan<byte> subject, ReadOnlySpan<byte> shownSubject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
        => _added.Add(subject, shownSubject, replyTo, headers, payload);

    /// <summary>Adds messages that were collected before. The owner's lock is held.</summary>
    public void AddAll(MessageBuffer messages) => _added.AddAll(messages);

    /// <summary>Publishes the added messages; after the time of one step the rest is left to a callback of the batch. No lock is held.</summary>
    public void Publish(SendBatch batch)
    {
        for (var left = MaxTurns; TryTakeTurn(); left--)
        {
            if (!TryFinish(batch)) return;
            if (left > 1) continue;
            batch.BeforeFlush(this);
            return;
        }
    }

    /// <inheritdoc/>
    void IFlushCallback.BeforeFlush(SendBatch batch)
    {
        if (!ReferenceEquals(Volatile.Read(ref _unfinished), batch) || TryFinish(batch)) Publish(batch);
    }

    // Called by the thread whose turn it is: the turn ends with the last message, or continues in a callback of the same batch.
    private bool TryFinish(SendBatch batch)
    {
        var isDone = true;
        try
        {
            isDone = _publishing.Publish(tree, batch, ref _at, WorkStep.Begin());
            batch.Submit();
        }
        finally
        {
            Volatile.Write(ref _unfinished, isDone ? null : batch);
            if (isDone)
            {
                using (gate.Hold()) _isPublishing = false;
            }
        }
        if (!isDone) batch.BeforeFlush(this);
        return isDone;
    }

    private bool TryTakeTurn()
    {
        using (gate.Hold())
        {
            if (_isPublishing || _added.Count == 0) return false;
            _isPublishing = true;
            (_added, _publishing) = (_publishing, _added);
            return true;
        }
    }
}
