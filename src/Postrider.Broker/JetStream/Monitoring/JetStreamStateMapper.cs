using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Monitoring;
using Postrider.Storage.Faults;

namespace Postrider.Broker.JetStream.Monitoring;

/// <summary>Maps the state of the streams for monitoring.</summary>
internal static class JetStreamStateMapper
{
    /// <summary>Reads the totals of all accounts.</summary>
    public static JetStreamState Read(JetStreamEngine engine)
    {
        var streams = engine.Accounts.SelectMany(static account => account.Streams).ToArray();
        long messages = 0;
        long bytes = 0;
        var readOnly = 0;
        foreach (var stream in streams)
        {
            using (stream.Gate.Hold())
            {
                messages += stream.Store.Messages;
                bytes += stream.Store.Bytes;
                readOnly += stream.Store.Fault is { Kind: not StoreFaultKind.Closed } ? 1 : 0;
            }
        }
        return new JetStreamState(
            new JetStreamSettings
            {
                MaxMemoryBytes = engine.Storage.MaxMemoryBytes,
                MaxStoreBytes = engine.Storage.MaxStoreBytes,
                StoreDirectory = engine.Root.Path,
                SyncIntervalNanoseconds = Clock.Of(engine.Options.SyncInterval),
                SyncAlways = engine.Options.Durability != JetStreamDurability.PageCache,
                Domain = engine.Options.Domain,
                Strict = engine.Options.Strict,
            },
            new JetStreamStats
            {
                MemoryBytes = engine.Storage.MemoryBytes,
                StoreBytes = engine.Storage.StoreBytes,
                ReservedMemoryBytes = engine.Accounts.Sum(static account => account.ReservedBytes(StreamStorage.Memory)),
                ReservedStoreBytes = engine.Accounts.Sum(static account => account.ReservedBytes(StreamStorage.File)),
                Accounts = engine.Accounts.Count,
                Api = new JetStreamApiStats
                {
                    Level = ApiLevel.Current,
                    Total = engine.Accounts.Sum(static account => account.ApiTotal),
                    Errors = engine.Accounts.Sum(static account => account.ApiErrorTotal),
                },
            },
            streams.Length,
            engine.Accounts.Sum(static account => account.ConsumerCount),
            messages,
            bytes)
        {
            ReadOnlyStreams = readOnly,
            NotRecovered = engine.Progress.Problems,
            Losses = engine.Progress.Warnings,
            IndexBytes = engine.Memory.UsedBytes,
            MaxIndexBytes = engine.Memory.LimitBytes,
            Recovery = engine.Progress.Describe(),
        };
    }
}
