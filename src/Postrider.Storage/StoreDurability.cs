namespace Postrider.Storage;

/// <summary>The durability of a file store's commit when it is reported.</summary>
internal enum StoreDurability
{
    /// <summary>The operating system has it: it survives the end of the process, not of the machine. nats-server's default.</summary>
    PageCache,

    /// <summary>The disk has it; one flush serves all commits that wait for it. Reported later, from the committer's thread.</summary>
    GroupSync,

    /// <summary>The disk has it before <see cref="MessageStore.Commit(out long)"/> returns.</summary>
    SyncEach,
}
