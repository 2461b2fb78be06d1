namespace Postrider.Storage;

/// <summary>Notified by a store when messages are removed, to update consumers' counts and delete markers.</summary>
/// <remarks>Called inside the store's call, by the same thread; it may not call the store back but may note what to do.</remarks>
internal abstract class StoreObserver
{
    /// <summary>One message left.</summary>
    /// <param name="subject">Its subject: valid during the call.</param>
    /// <param name="sequence">Its sequence.</param>
    /// <param name="bytes">Its size as the store reports sizes.</param>
    /// <param name="reason">Why.</param>
    /// <param name="lastOfSubject">No message with that subject is left: the moment for a delete marker.</param>
    public abstract void OnRemoved(ReadOnlySpan<byte> subject, ulong sequence, long bytes, RemoveReason reason, bool lastOfSubject);

    /// <summary>All messages left at once.</summary>
    /// <param name="messages">How many.</param>
    /// <param name="bytes">Their size.</param>
    public abstract void OnPurged(long messages, long bytes);

    /// <summary>What was appended and removed so far is committed. Not called for each commit: only before something that can fail
    /// without undoing it.</summary>
    public virtual void OnCommitted()
    {
    }

    /// <summary>The store went back to its last commit because the disk refused: what was appended and removed since is undone.</summary>
    /// <param name="last">The last sequence before.</param>
    /// <param name="lastKept">The last sequence that stays; those above it are given away again.</param>
    public virtual void OnRolledBack(ulong last, ulong lastKept)
    {
    }
}
