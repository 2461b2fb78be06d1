namespace Postrider.Storage;

/// <summary>The options of a file store.</summary>
internal sealed record FileStoreOptions
{
    /// <summary>8 MiB: its index is read in half a millisecond, and compacting it takes less than ten.</summary>
    public const int DefaultBlockBytes = 8 * 1024 * 1024;

    /// <summary>The durability of a reported commit.</summary>
    public StoreDurability Durability { get; init; } = StoreDurability.PageCache;

    /// <summary>The size at which a block is full, in bytes.</summary>
    public int BlockBytes { get; init; } = DefaultBlockBytes;

    /// <summary>Whether full blocks are compressed with the platform's codec.</summary>
    public bool Compress { get; init; }

    /// <summary>The sequence of the first message of a new store.</summary>
    public ulong FirstSequence { get; init; } = 1;

    /// <summary>Whether the store was created before: without any block it is damaged, not new.</summary>
    public bool MustExist { get; init; }

    /// <summary>The shared budget for indexes.</summary>
    public IndexCacheBudget Memory { get; init; } = new(64 * 1024 * 1024);

    /// <summary>Flushes for <see cref="StoreDurability.GroupSync"/>; only needed for that setting.</summary>
    public GroupCommitter? Committer { get; init; }

    /// <summary>The source of seeds for hash tables and checksums.</summary>
    public Random Random { get; init; } = Random.Shared;

    /// <summary>Called with the number of blocks read and of all blocks while the store is opened.</summary>
    public Action<int, int>? Progress { get; init; }

    /// <summary>Called once for each record that cannot be read.</summary>
    public Action<string>? Unreadable { get; init; }
}
