using Postrider.Broker.Routing;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>What follows from messages that are not committed yet: it takes effect with their commit and is undone when the
/// commit fails. The stream's lock is held.</summary>
internal sealed class CommitEffects(StreamCore stream)
{
    // A batch that saw more rollbacks than this go by acknowledges nothing that it brought before.
    private const int KeptRollbacks = 16;

    private readonly MessageBuffer _republished = new();
    private readonly ulong[] _lastKept = new ulong[KeptRollbacks];
    private string _lastMessageId = stream.LastMessageId;

    /// <summary>Whether messages were removed that come back if the next commit fails.</summary>
    public bool HasRemovals { get; private set; }

    /// <summary>How often messages were lost that the store had taken and not committed.</summary>
    public long Rollbacks { get; private set; }

    /// <summary>Publishes a message once the ones stored so far are committed. Everything is copied.</summary>
    public void Republish(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
        => _republished.Add(subject, headers, payload);

    /// <summary>A message was removed: consumers take it as gone once that is committed.</summary>
    public void OnRemoved() => HasRemovals = true;

    /// <summary>Everything in the store is committed.</summary>
    public void OnCommitted()
    {
        _lastMessageId = stream.LastMessageId;
        if (_republished.Count > 0) stream.Outgoing.AddAll(_republished);
        if (!HasRemovals) return;
        HasRemovals = false;
        foreach (var consumer in stream.Consumers) ConsumerNotifier.OnRemovalsCommitted(consumer);
    }

    /// <summary>The store went back to its last commit.</summary>
    /// <param name="last">The last sequence before.</param>
    /// <param name="lastKept">The last sequence that stays.</param>
    public void OnRolledBack(ulong last, ulong lastKept)
    {
        HasRemovals = false;
        foreach (var consumer in stream.Consumers) ConsumerNotifier.OnRemovalsRolledBack(consumer);
        if (last <= lastKept) return;
        _republished.Clear();
        stream.LastMessageId = _lastMessageId;
        stream.Duplicates.ForgetAbove(lastKept);
        NoteRollback(lastKept);
    }

    /// <summary>Nothing that waits for its commit is acknowledged any more.</summary>
    public void Abandon() => NoteRollback(0);

    /// <summary>The sequence above which messages are lost that were stored when <see cref="Rollbacks"/> was lower.</summary>
    public ulong LostAbove(long rollbacks)
        => Rollbacks - rollbacks > KeptRollbacks ? 0 : _lastKept[rollbacks % KeptRollbacks];

    private void NoteRollback(ulong lastKept) => _lastKept[Rollbacks++ % KeptRollbacks] = lastKept;
}
