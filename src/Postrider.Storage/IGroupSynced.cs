namespace Postrider.Storage;

/// <summary>A store that a <see cref="GroupCommitter"/> flushes.</summary>
internal interface IGroupSynced
{
    /// <summary>Flushes committed messages while other threads use the store. A failure is reported by the next commit.</summary>
    /// <returns>Whether they are on the disk.</returns>
    bool SyncConcurrently();
}
