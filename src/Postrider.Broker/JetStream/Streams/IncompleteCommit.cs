using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Repairs what a crash in the middle of a commit left in a stream's newest block. Called before the stream's limits are
/// enforced: messages that go again, or that others replace, must not push older ones out.</summary>
/// <remarks>A commit is one write of messages with the removals that follow from them behind. A crash may keep only its beginning.
/// Limits are enforced again when the stream is opened; everything else that removes messages is repeated here. Not thread-safe:
/// the stream is not in use yet.</remarks>
internal static class IncompleteCommit
{
    /// <summary>Repairs a stream.</summary>
    public static void Repair(StreamCore stream)
    {
        if (stream.Config.Mirror is not null || stream.Store is not FileStore { Messages: > 0, Fault: null } store) return;
        if (stream.Config.AllowAtomicPublish) CutBatch(stream, store);
        if (stream.Config.AllowRollup || stream.Config.AllowMessageSchedules) RepeatReplacements(stream, store);
    }

    // An atomic batch whose last message is not in the stream lacks its commit header.
    private static void CutBatch(StreamCore stream, FileStore store)
    {
        if (store.TryRead(store.LastSequence, out var last) != StoreStatus.Ok) return;
        if (!MessageHeaders.TryFind(last.Headers, "Nats-Batch-Id"u8, out _) || MessageHeaders.TryFind(last.Headers, "Nats-Batch-Commit"u8, out _)) return;
        if (!MessageHeaders.TryFind(last.Headers, "Nats-Batch-Sequence"u8, out var place)) return;
        var written = PublishHeaders.Number(place);
        if (written > store.LastSequence) return;
        StreamLog.RecoveryNote(stream.Services.Logger, stream.Services.AccountName, stream.Name, "removed an atomic batch that was not completely written");
        if (store.Truncate(store.LastSequence - written) == StoreStatus.Ok) _ = store.Commit(out _);
    }

    private static void RepeatReplacements(StreamCore stream, FileStore store)
    {
        var from = store.Compactor.FirstWithoutRemovals();
        while (store.Fault is null && store.Scans.TryFindNextWithHeaders(from, out var sequence))
        {
            from = sequence + 1;
            if (store.TryRead(sequence, out var message) != StoreStatus.Ok) continue;

            // What was copied from another stream keeps its headers; they are about that stream.
            var headers = message.Headers.ToArray();
            if (MessageHeaders.TryFind(headers, "Nats-Stream-Source"u8, out _)) continue;
            var subject = message.Subject.ToArray();
            if (MessageHeaders.TryFind(headers, "Nats-Rollup"u8, out var rollup)) StreamRollup.Apply(store, subject, PublishValidator.ReadRollup(rollup), sequence);
            if (stream.Config.AllowMessageSchedules) StreamSchedules.PurgeFired(stream, headers, sequence);
        }
    }
}
