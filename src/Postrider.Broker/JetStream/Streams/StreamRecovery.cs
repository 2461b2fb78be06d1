using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Records;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Recovers an account's streams from the disk.</summary>
internal static class StreamRecovery
{
    /// <summary>Reads the configurations of an account's streams, and holds messages published on their subjects until they are recovered.</summary>
    public static List<UnrecoveredStream> Find(JetStreamAccount account)
    {
        var found = new List<UnrecoveredStream>();
        var streams = account.Folder!.Folder(StreamFiles.StreamsName);
        foreach (var name in streams.Folders().Order(StringComparer.Ordinal))
        {
            Guard(account, name, () =>
            {
                if (TryReadMetadata(account, streams.Folder(name), name, out var metadata)) found.Add(new UnrecoveredStream(account, name, streams.Folder(name), metadata));
            });
        }
        account.Engine.Progress.Expect(found.Count);
        return found;
    }

    /// <summary>Opens a stream. One that cannot be opened is left unchanged and reported.</summary>
    public static void Open(UnrecoveredStream found, IConsumerRegistry? consumers)
    {
        var account = found.Account;
        account.Engine.Progress.Begin($"{account.Account.Name} > {found.Name}");
        Guard(account, found.Name, () => OpenOne(found, consumers));
        found.Held.Release(null, account.Engine.Batches);
        account.Engine.Progress.End();
    }

    /// <summary>Records the ids of messages that are still within the duplicate window.</summary>
    public static void RebuildDuplicates(MessageStream stream)
    {
        using (stream.Gate.Hold())
        {
            var store = stream.Store;
            if (stream.Duplicates.Window == 0 || store.Messages == 0) return;
            var from = store.Queries.SequenceAt(stream.Services.Clock.Now - stream.Duplicates.Window);
            while (store.Scans.TryFindNextWithHeaders(from, out var sequence))
            {
                from = sequence + 1;
                if (store.TryRead(sequence, out var message) != StoreStatus.Ok) continue;
                var id = MessageHeaders.TryFind(message.Headers, "Nats-Msg-Id"u8, out var value) ? value : [];
                if (!id.IsEmpty) stream.Duplicates.Add(id, sequence, message.Timestamp);
                if (sequence == store.LastSequence) stream.LastMessageId.Set(id);
            }
            stream.Effects.OnCommitted();
            (store as FileStore)?.Trim();
        }
    }

    // A problem with one stream must not affect the others; its files are left unchanged.
    private static void Guard(JetStreamAccount account, string name, Action action)
    {
        try
        {
            action();
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            NotRestored(account, name, error.Message);
        }
    }

    private static void NotRestored(JetStreamAccount account, string name, string problem)
    {
        StreamLog.NotRestored(account.Engine.Logger, account.Account.Name, name, problem);
        lock (account.Changes) account.ReserveName(name, problem);
        account.Engine.Progress.AddProblem($"JetStream stream '{account.Account.Name} > {name}' could not be recovered: {problem}");
    }

    private static bool TryReadMetadata(JetStreamAccount account, IStoreFolder folder, string name, out StreamMetadata metadata)
    {
        metadata = new StreamMetadata();
        if (StreamFiles.IsDiscarded(folder))
        {
            // The stream was being deleted or restored when the broker ended.
            folder.DeleteAll();
            return false;
        }
        var status = MetadataFile.TryRead(folder, StreamFiles.MetadataName, out var text, out var note);
        if (note is not null) StreamLog.RecoveryNote(account.Engine.Logger, account.Account.Name, name, note);
        if (status == StoreStatus.Ok)
        {
            metadata = JsonSerializer.Deserialize(text, StreamJson.Lenient.StreamMetadata) ?? throw new JsonException("The configuration is empty.");
            if (metadata.Config.Name == name) return true;
            NotRestored(account, name, $"{StreamFiles.MetadataName} belongs to stream '{metadata.Config.Name}'");
        }
        else if (status == StoreStatus.Damaged)
        {
            NotRestored(account, name, $"{StreamFiles.MetadataName} and its copy are damaged");
        }
        else if (StreamFiles.HoldsAnything(folder))
        {
            NotRestored(account, name, $"{StreamFiles.MetadataName} and its copy are missing");
        }
        else
        {
            // The stream was being created.
            folder.DeleteAll();
        }
        return false;
    }

    private static void OpenOne(UnrecoveredStream found, IConsumerRegistry? consumers)
    {
        var (account, engine) = (found.Account, found.Account.Engine);
        var watch = Stopwatch.StartNew();
        var config = found.Metadata.Config;
        var store = StreamStoreFactory.Open(engine, account, config, found.Folder, engine.Progress.Advance, mustExist: true);
        var stream = new MessageStream(account, config, store, found.Folder, found.Metadata.Created);
        Report(stream, consumers);
        RebuildDuplicates(stream);
        engine.Batches.Run((stream, consumers), static (state, batch) => state.consumers?.Recover(state.stream, batch));
        lock (account.Changes) account.Add(stream);
        stream.Open(handler => found.Held.Release(handler, engine.Batches));
        StreamLog.Restored(engine.Logger, account.Account.Name, stream.Name, store.Messages, watch.ElapsedMilliseconds);
    }

    private static void Report(MessageStream stream, IConsumerRegistry? consumers)
    {
        if (stream.Store is not FileStore file) return;
        var (logger, account) = (stream.Services.Logger, stream.Services.AccountName);
        foreach (var note in file.Recovery.Notes) StreamLog.RecoveryNote(logger, account, stream.Name, note);
        foreach (var damage in file.Recovery.Damaged)
        {
            StreamLog.RecoveryNote(logger, account, stream.Name, damage.Describe());
            if (damage.IsLoss) stream.Account.Engine.Progress.AddWarning(account, stream.Name, $"JetStream stream '{account} > {stream.Name}': {damage.Describe()}");
        }
        if (file.Recovery.Damaged.Exists(static damage => damage.IsLoss)) ContinueBehindConsumers(stream, consumers);
        if (file.Fault is { } fault) StreamLog.RecoveryNote(logger, account, stream.Name, $"it is read-only: {fault.Message}");
    }

    // The stream has contained every message that a consumer delivered: these sequences are not assigned again.
    private static void ContinueBehindConsumers(MessageStream stream, IConsumerRegistry? consumers)
    {
        var last = consumers?.LastDelivered(stream) ?? 0;
        using (stream.Gate.Hold())
        {
            if (last <= stream.Store.LastSequence || last >= 1UL << 63 || stream.Store.SkipTo(last) != StoreStatus.Ok) return;
            stream.CommitRemovalsLocked();
        }
        StreamLog.RecoveryNote(
            stream.Services.Logger, stream.Services.AccountName, stream.Name,
            string.Create(CultureInfo.InvariantCulture, $"a consumer had received message {last}: the stream continues after it"));
    }
}
