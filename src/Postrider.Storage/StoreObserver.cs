namespace Postrider.Storage;

/// <summary>Notified by a store when messages are removed, to update consumers' counts and delete markers.</summary>
/// <remarks>Called inside the store's methods, on the same thread; it may not call the store but may record work for later.</remarks>
internal abstract class StoreObserver
{
    /// <summary>One message was removed.</summary>
    /// <param name="subject">Its subject: valid during the call.</param>
    /// <param name="sequence">Its sequence.</param>
    /// <param name="bytes">Its size as reported by the store.</param>
    /// <param name="reason">The reason.</param>
    /// <param name="lastOfSubject">Whether no message with that subject is left, so that a delete marker may be due.</param>
    public abstract void OnRemoved(ReadOnlySpan<byte> subject, ulong sequence, long bytes, RemoveReason reason, bool lastOfSubject);

    /// <summary>All messages were removed at once.</summary>
    /// <param name="messages">The number of messages.</param>
    /// <param name="bytes">Their size.</param>
    public abstract void OnPurged(long messages, long bytes);

    /// <summary>Everything appended and removed so far is committed. Not called for each commit: only before something that can fail
    /// without undoing it.</summary>
    public virtual void OnCommitted()
    {
    }

    /// <summary>The store was rolled back to its last commit after a disk error: everything appended and removed since is undone.</summary>
    /// <param name="last">The last sequence before the rollback.</param>
    /// <param name="lastKept">The last sequence that is kept; those above it are assigned again.</param>
    public virtual void OnRolledBack(ulong last, ulong lastKept)
    {
    }
}
