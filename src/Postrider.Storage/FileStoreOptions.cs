namespace Postrider.Storage;

/// <summary>How a file store works.</summary>
internal sealed record FileStoreOptions
{
    /// <summary>8 MiB: an index of it is read in half a millisecond, and copying one together stays below ten.</summary>
    public const int DefaultBlockBytes = 8 * 1024 * 1024;

    /// <summary>What a reported commit promises.</summary>
    public StoreDurability Durability { get; init; } = StoreDurability.PageCache;

    /// <summary>Bytes after which a block is full.</summary>
    public int BlockBytes { get; init; } = DefaultBlockBytes;

    /// <summary>Whether full blocks are compressed with the platform's codec.</summary>
    public bool Compress { get; init; }

    /// <summary>The sequence of the first message of a new store.</summary>
    public ulong FirstSequence { get; init; } = 1;

    /// <summary>Whether the store was begun before: without any block it is damaged, not new.</summary>
    public bool MustExist { get; init; }

    /// <summary>The shared budget for indexes.</summary>
    public IndexCacheBudget Memory { get; init; } = new(64 * 1024 * 1024);

    /// <summary>Flushes for <see cref="StoreDurability.GroupSync"/>; needed for that setting only.</summary>
    public GroupCommitter? Committer { get; init; }

    /// <summary>Draws the seeds of hash tables and checksums.</summary>
    public Random Random { get; init; } = Random.Shared;

    /// <summary>Called with the number of read blocks and of all blocks while the store is opened.</summary>
    public Action<int, int>? Progress { get; init; }

    /// <summary>Called once for each record that cannot be read.</summary>
    public Action<string>? Unreadable { get; init; }
}
