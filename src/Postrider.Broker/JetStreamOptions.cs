namespace Postrider.Broker;

/// <summary>The settings and limits of JetStream.</summary>
/// <remarks>Not thread-safe; must not be changed after the broker's start.</remarks>
public sealed record JetStreamOptions
{
    /// <summary>Whether JetStream is enabled.</summary>
    public bool Enabled { get; set; } = true;

    /// <summary>Folder for streams, which are stored in its sub-folder <c>jetstream</c>; null uses <c>nats</c> in the folder
    /// for temporary files.</summary>
    public string? StoreDirectory { get; set; }

    /// <summary>Maximum number of bytes of all memory streams; -1 takes three quarters of the machine's memory.</summary>
    public long MaxMemoryBytes { get; set; } = -1;

    /// <summary>Maximum number of bytes of all file streams; -1 takes three quarters of the free disk space.</summary>
    public long MaxStoreBytes { get; set; } = -1;

    /// <summary>The JetStream domain, which becomes part of the API's subjects; null for none.</summary>
    public string? Domain { get; set; }

    /// <summary>Whether requests with unknown members are rejected.</summary>
    public bool Strict { get; set; } = true;

    /// <summary>The key, preferably random, with which the files of streams are encrypted; null for plain files. A plain store is encrypted at the
    /// start; an encrypted store cannot be opened without its key.</summary>
    public string? EncryptionKey { get; set; }

    /// <summary>The previous key: a store encrypted with it is re-encrypted with <see cref="EncryptionKey"/> at the start. Null for none.</summary>
    public string? PreviousEncryptionKey { get; set; }

    /// <summary>The cipher of files that are written from now on; older files keep theirs.</summary>
    public JetStreamCipher Cipher { get; set; }

    /// <summary>The durability of acknowledged publishes.</summary>
    public JetStreamDurability Durability { get; set; }

    /// <summary>How often file streams are flushed to the disk when <see cref="Durability"/> does not require it anyway.</summary>
    public TimeSpan SyncInterval { get; set; } = TimeSpan.FromMinutes(2);

    /// <summary>Memory for the indexes of full blocks in bytes, over all streams.</summary>
    public long IndexCacheBytes { get; set; } = 64 * 1024 * 1024;

    /// <summary>Maximum duplicate window of streams; zero for no limit.</summary>
    public TimeSpan MaxDuplicateWindow { get; set; }

    /// <summary>Maximum memory for the ids in the duplicate windows of one account's streams, in bytes; -1 takes an eighth of the machine's
    /// memory, but at most 1 GiB. A message with a new id that would exceed it is rejected with 10167 until older ids leave their window.</summary>
    public long MaxDuplicateIdBytes { get; set; } = -1;

    /// <summary>Maximum number of unacknowledged messages of a consumer; zero for no limit.</summary>
    public int MaxAckPending { get; set; }

    /// <summary>Maximum number of messages of one pull request; zero for no limit.</summary>
    public int MaxRequestBatch { get; set; }

    /// <summary>Maximum number of consumers of a stream when neither its configuration nor its account has a limit; zero means 1,000 as in
    /// nats-server, a negative number means no limit.</summary>
    public int DefaultMaxConsumers { get; set; }

    /// <summary>The effective value of <see cref="DefaultMaxConsumers"/>.</summary>
    internal int MaxConsumersByDefault => DefaultMaxConsumers == 0 ? 1000 : DefaultMaxConsumers;

    /// <summary>The limits of the global account.</summary>
    public JetStreamAccountLimits AccountLimits { get; set; } = new();

    /// <summary>Maximum number of messages in an atomic batch.</summary>
    public int MaxBatchMessages { get; set; } = 1000;

    /// <summary>Maximum number of open atomic batches in one stream.</summary>
    public int MaxBatchesPerStream { get; set; } = 50;

    /// <summary>Maximum number of open atomic batches in all streams.</summary>
    public int MaxBatches { get; set; } = 1000;

    /// <summary>Maximum memory for the messages of atomic batches that are not committed yet, in bytes, for all streams together. A
    /// message that would exceed it is rejected and ends its batch.</summary>
    public long MaxBatchBytes { get; set; } = 256 * 1024 * 1024;

    /// <summary>Maximum number of open fast batches in one stream.</summary>
    public int MaxFastBatchesPerStream { get; set; } = 1000;

    /// <summary>Maximum number of open fast batches in all streams.</summary>
    public int MaxFastBatches { get; set; } = 50_000;

    /// <summary>How long a batch may wait for its next message.</summary>
    public TimeSpan BatchTimeout { get; set; } = TimeSpan.FromSeconds(10);
}
