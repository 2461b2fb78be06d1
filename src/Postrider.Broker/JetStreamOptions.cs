namespace Postrider.Broker;

/// <summary>How streams are stored and what they may use.</summary>
/// <remarks>Not thread-safe; must not be changed after the broker's start.</remarks>
public sealed record JetStreamOptions
{
    /// <summary>Whether streams are served at all.</summary>
    public bool Enabled { get; set; } = true;

    /// <summary>Folder for streams, which are kept in its sub-folder <c>jetstream</c>; null takes <c>nats</c> in the folder
    /// for temporary files.</summary>
    public string? StoreDirectory { get; set; }

    /// <summary>Most bytes of all memory streams; -1 takes three quarters of the machine's memory.</summary>
    public long MaxMemoryBytes { get; set; } = -1;

    /// <summary>Most bytes of all file streams; -1 takes three quarters of the disk's free room.</summary>
    public long MaxStoreBytes { get; set; } = -1;

    /// <summary>Name of this store among others, which becomes part of its API's subjects; null for none.</summary>
    public string? Domain { get; set; }

    /// <summary>Whether requests with unknown members are refused.</summary>
    public bool Strict { get; set; } = true;

    /// <summary>What an acknowledged publish survives.</summary>
    public JetStreamDurability Durability { get; set; }

    /// <summary>How often file streams are flushed to the disk when <see cref="Durability"/> does not do so itself.</summary>
    public TimeSpan SyncInterval { get; set; } = TimeSpan.FromMinutes(2);

    /// <summary>Memory for the indexes of blocks that are full, in bytes, for all streams together.</summary>
    public long IndexCacheBytes { get; set; } = 64 * 1024 * 1024;

    /// <summary>Longest window in which messages with the same id count once; zero for no limit.</summary>
    public TimeSpan MaxDuplicateWindow { get; set; }

    /// <summary>Most unacknowledged messages a consumer may ask for; zero for no limit.</summary>
    public int MaxAckPending { get; set; }

    /// <summary>Most messages one pull may ask for; zero for no limit.</summary>
    public int MaxRequestBatch { get; set; }

    /// <summary>Most consumers of a stream where neither its configuration nor its account has a limit; zero takes 1,000 as nats-server
    /// does, a negative number sets no limit.</summary>
    public int DefaultMaxConsumers { get; set; }

    /// <summary>What the streams of the global account may use.</summary>
    public JetStreamAccountLimits AccountLimits { get; set; } = new();

    /// <summary>Most messages one atomic batch may hold.</summary>
    public int MaxBatchMessages { get; set; } = 1000;

    /// <summary>Most atomic batches under way in one stream.</summary>
    public int MaxBatchesPerStream { get; set; } = 50;

    /// <summary>Most atomic batches under way in all streams.</summary>
    public int MaxBatches { get; set; } = 1000;

    /// <summary>Maximum memory for the messages of atomic batches that are not committed yet, in bytes, for all streams together. A
    /// message that would exceed it is refused and ends its batch.</summary>
    public long MaxBatchBytes { get; set; } = 256 * 1024 * 1024;

    /// <summary>How long an atomic batch may wait for its next message.</summary>
    public TimeSpan BatchTimeout { get; set; } = TimeSpan.FromSeconds(10);
}
