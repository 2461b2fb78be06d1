using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Postrider.Broker.Storage;

namespace Postrider.Broker.Streams;

/// <summary>Finds an account's streams on the disk.</summary>
internal static class StreamRecovery
{
    /// <summary>Opens every stream of an account. One that cannot be opened is left as it is and reported.</summary>
    public static void Run(JetStreamAccount account, IConsumerEngine? consumers)
    {
        var streams = account.Folder!.Folder(StreamFolder.StreamsName);
        foreach (var name in streams.Folders().Order(StringComparer.Ordinal))
        {
            var folder = streams.Folder(name);
            try
            {
                Open(account, folder, consumers);
            }
            catch (Exception error) when (error is StoreException or JsonException or IOException or UnauthorizedAccessException)
            {
                StreamLog.NotRestored(account.Engine.Logger, folder.Path, error.Message);
            }
        }
    }

    private static void Open(JetStreamAccount account, IStoreFolder folder, IConsumerEngine? consumers)
    {
        var watch = Stopwatch.StartNew();
        switch (MetadataFile.TryRead(folder, StreamFolder.MetadataName, out var text))
        {
            case StoreStatus.NotFound:
                // A stream that was being created or deleted when the broker ended.
                folder.DeleteAll();
                return;
            case StoreStatus.Ok:
                break;
            default:
                StreamLog.NotRestored(account.Engine.Logger, folder.Path, $"{StreamFolder.MetadataName} is damaged: {Encoding.UTF8.GetString(text)}");
                return;
        }
        var metadata = JsonSerializer.Deserialize(text, StreamJson.Lenient.StreamMetadata) ?? throw new JsonException("The configuration is empty.");
        var store = StreamStores.Open(account.Engine, metadata.Config, folder);
        var stream = new MessageStream(account, metadata.Config, store, folder, metadata.Created);
        if (store is FileStore file)
            foreach (var note in file.Recovery.Notes) StreamLog.RecoveryNote(account.Engine.Logger, account.Account.Name, stream.Name, note);
        CutTornBatch(stream);
        RebuildDuplicates(stream);
        account.Engine.Batches.Run((stream, consumers), static (state, batch) => state.consumers?.Recover(state.stream, batch));
        lock (account.Changes) account.Add(stream);
        stream.Open();
        StreamLog.Restored(account.Engine.Logger, account.Account.Name, stream.Name, store.Messages, watch.ElapsedMilliseconds);
    }

    // A batch is written at one stroke; a kill in the middle of it leaves its beginning without the commit header.
    private static void CutTornBatch(MessageStream stream)
    {
        lock (stream.Gate)
        {
            var store = stream.Store;
            if (!stream.Config.AllowAtomicPublish || store.TryRead(store.LastSequence, out var last) != StoreStatus.Ok) return;
            if (!MessageHeaders.TryFind(last.Headers, "Nats-Batch-Id"u8, out _) || MessageHeaders.TryFind(last.Headers, "Nats-Batch-Commit"u8, out _)) return;
            if (!MessageHeaders.TryFind(last.Headers, "Nats-Batch-Sequence"u8, out var place)) return;
            var written = PublishHeaders.Number(place);
            if (written > store.LastSequence) return;
            StreamLog.RecoveryNote(stream.Account.Engine.Logger, stream.Account.Account.Name, stream.Name, "cut off an atomic batch that was being written");
            _ = store.Truncate(store.LastSequence - written);
            stream.CommitRemovals();
        }
    }

    private static void RebuildDuplicates(MessageStream stream)
    {
        lock (stream.Gate)
        {
            var store = stream.Store;
            if (stream.Duplicates.Window == 0 || store.Messages == 0) return;
            var from = store.Queries.SequenceAt(stream.Account.Engine.Clock.Now - stream.Duplicates.Window);
            while (store.Queries.TryFindNext(SubjectFilter.All, from, out var sequence))
            {
                from = sequence + 1;
                if (store.TryRead(sequence, out var message) != StoreStatus.Ok || message.Headers.IsEmpty) continue;
                var id = MessageHeaders.TryFind(message.Headers, "Nats-Msg-Id"u8, out var value) ? Encoding.UTF8.GetString(value) : "";
                if (id.Length > 0) stream.Duplicates.Add(id, sequence, message.Timestamp);
                if (sequence == store.LastSequence) stream.LastMessageId = id;
            }
        }
    }
}
