using Postrider.Broker.Routing;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>The consequences of messages that are not committed yet: they take effect with the commit and are undone when the
/// commit fails. The stream's lock is held.</summary>
internal sealed class CommitEffects(StreamCore stream)
{
    // If a batch spans more rollbacks than this, none of the messages before them is acknowledged.
    private const int KeptRollbacks = 16;

    private readonly MessageBuffer _republished = new();
    private readonly ulong[] _lastKept = new ulong[KeptRollbacks];

    /// <summary>Whether messages were removed that are restored if the next commit fails.</summary>
    public bool HasRemovals { get; private set; }

    /// <summary>The bytes of the messages that the next commit publishes.</summary>
    public int RepublishedBytes => _republished.Bytes;

    /// <summary>How often messages were lost that the store had accepted and not committed.</summary>
    public long Rollbacks { get; private set; }

    /// <summary>Publishes a message once the ones stored so far are committed. Everything is copied.</summary>
    public void Republish(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
        => _republished.Add(subject, headers, payload);

    /// <summary>Records the removal of a message: consumers handle it once it is committed.</summary>
    public void OnRemoved() => HasRemovals = true;

    /// <summary>Records that everything in the store is committed.</summary>
    public void OnCommitted()
    {
        stream.LastMessageId.Commit();
        if (_republished.Count > 0) stream.Outgoing.AddAll(_republished);
        if (!HasRemovals) return;
        HasRemovals = false;
        foreach (var consumer in stream.Consumers) ConsumerNotifier.OnRemovalsCommitted(consumer);
    }

    /// <summary>Records that the store was rolled back to its last commit.</summary>
    /// <param name="last">The last sequence before.</param>
    /// <param name="lastKept">The last sequence that is kept.</param>
    public void OnRolledBack(ulong last, ulong lastKept)
    {
        HasRemovals = false;
        foreach (var consumer in stream.Consumers) ConsumerNotifier.OnRemovalsRolledBack(consumer);
        if (last <= lastKept) return;
        _republished.Clear();
        stream.LastMessageId.RollBack();
        stream.Duplicates.ForgetAbove(lastKept);
        NoteRollback(lastKept);
    }

    /// <summary>Fails all acknowledgements that wait for their commit.</summary>
    public void Abandon() => NoteRollback(0);

    /// <summary>The sequence above which messages are lost that were stored when <see cref="Rollbacks"/> was lower.</summary>
    public ulong LostAbove(long rollbacks)
        => Rollbacks - rollbacks > KeptRollbacks ? 0 : _lastKept[rollbacks % KeptRollbacks];

    private void NoteRollback(ulong lastKept) => _lastKept[Rollbacks++ % KeptRollbacks] = lastKept;
}
