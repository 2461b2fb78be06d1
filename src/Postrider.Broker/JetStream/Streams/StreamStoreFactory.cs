using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Opens the stores of streams.</summary>
internal static class StreamStoreFactory
{
    /// <summary>The durability of a stream's store.</summary>
    public static StoreDurability DurabilityOf(JetStreamEngine engine, StreamConfig config) => engine.Options.Durability switch
    {
        JetStreamDurability.GroupSync => StoreDurability.GroupSync,
        JetStreamDurability.SyncEach when config.PersistMode != PersistMode.Async => StoreDurability.SyncEach,
        _ => StoreDurability.PageCache,
    };

    /// <summary>Opens the store for a configuration.</summary>
    /// <param name="engine">The engine.</param>
    /// <param name="account">The stream's account.</param>
    /// <param name="config">A checked configuration.</param>
    /// <param name="folder">The stream's folder; not used by memory streams.</param>
    /// <param name="progress">Called with the number of blocks read and of all blocks; null for no progress.</param>
    /// <param name="mustExist">Whether the stream was created before: a store without any block is then damaged.</param>
    /// <exception cref="StoreException">The folder cannot be read.</exception>
    public static MessageStore Open(JetStreamEngine engine, JetStreamAccount account, StreamConfig config, IStoreFolder? folder, Action<int, int>? progress = null, bool mustExist = false)
    {
        var first = Math.Max(config.FirstSequence, 1);
        if (config.Storage == StreamStorage.Memory) return new MemoryStore((ulong)engine.Random.NextInt64(), first);
        return FileStore.Open(folder!.Folder(StreamFiles.MessagesName), new FileStoreOptions
        {
            Durability = DurabilityOf(engine, config),
            Compress = config.Compression == StreamCompression.S2,
            FirstSequence = first,
            Memory = engine.Memory,
            Committer = engine.Committer,
            Random = engine.Random,
            Progress = progress,
            MustExist = mustExist,
            Unreadable = note =>
            {
                StreamLog.Damage(engine.Logger, account.Account.Name, config.Name, note);
                engine.Progress.AddWarning(account.Account.Name, config.Name, $"JetStream stream '{account.Account.Name} > {config.Name}': {note}");
            },
        });
    }
}
