using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Repairs what a crash in the middle of a commit left in a stream's newest block. Called before the stream's limits are
/// enforced: messages that will be removed or replaced must not push older ones out.</summary>
/// <remarks>A commit is one write of messages followed by the removals that they cause. A crash may keep only its beginning.
/// Limits are enforced again when the stream is opened; all other causes of removals are handled here. Not thread-safe:
/// the stream is not in use yet.</remarks>
internal static class IncompleteCommit
{
    /// <summary>Repairs a stream.</summary>
    public static void Repair(StreamCore stream)
    {
        if (stream.Store is not FileStore { Messages: > 0, Fault: null } store) return;
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

            // Messages copied from another stream keep its headers, and replace messages only where this stream allows it too.
            var headers = message.Headers.ToArray();
            var isCopy = stream.Config.Mirror is not null || MessageHeaders.TryFind(headers, "Nats-Stream-Source"u8, out _);
            if (isCopy && !stream.Config.MayReplace) continue;
            var subject = message.Subject.ToArray();
            if (MessageHeaders.TryFind(headers, "Nats-Rollup"u8, out var rollup)) StreamRollup.Apply(store, subject, PublishValidator.ReadRollup(rollup), sequence);
            if (isCopy || stream.Config.AllowMessageSchedules) StreamSchedules.PurgeFired(stream, headers, sequence);
        }
    }
}
