using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Subjects;
using Postrider.Sockets;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage;

namespace Postrider.Broker.JetStream.Sourcing;

/// <summary>Stores messages of other streams.</summary>
internal static class SourcedMessageWriter
{
    /// <summary>Stores and commits messages, up to the first that the target has no room for. Takes the target's lock.</summary>
    /// <param name="target">The stream that copies.</param>
    /// <param name="source">The source.</param>
    /// <param name="messages">At least one message.</param>
    /// <param name="transforms">How their subjects change.</param>
    /// <param name="identity">The identity of the origin; empty when it is unknown.</param>
    /// <param name="batch">The batch for deliveries of the target's consumers.</param>
    public static SourceWrite WriteAll(
        MessageStream target, StreamSource source, SourceBuffer messages, List<SubjectTransform> transforms, string identity, SendBatch batch)
    {
        var (last, refused) = (0UL, 0UL);
        ApiError? problem = null;
        using (target.Gate.Hold())
        {
            if (target.IsClosed) return default;
            foreach (var message in messages)
            {
                problem = target.Config.Mirror is not null
                    ? Mirror(target, in message, transforms)
                    : Source(target, source, in message, transforms, identity);
                // Messages that are not a counter's will never be accepted: they are skipped.
                if (problem is not null && !target.Config.AllowMessageCounter)
                {
                    refused = message.Sequence;
                    break;
                }
                if (problem is null) last = message.Sequence;
            }

            // Everything that the target could not commit is copied again.
            if (!target.CommitRemovalsLocked()) (last, refused, problem) = (0, messages.FirstSequence, StreamAppender.StoreFailed(target.Store));
            target.BatchOf(batch).Join(batch);
        }
        return new SourceWrite(last, refused, problem);
    }

    /// <summary>Commits the stored messages as durably as the target's store can. Takes the target's lock.</summary>
    /// <returns>False when the store failed.</returns>
    public static bool TryMakeDurable(MessageStream target)
    {
        var commit = target.Commit();
        if (!commit.IsDurable && target.Flush()) commit = target.Commit();
        return !commit.Failed && commit.IsDurable;
    }

    // Under the origin's sequence and time.
    private static ApiError? Mirror(StreamCore target, in StoredMessage message, List<SubjectTransform> transforms)
    {
        var store = target.Store;
        if (message.Sequence <= store.LastSequence) return null;
        var subject = Transform(message.Subject, transforms);
        var headers = message.Headers;
        // The publisher's expectations were checked by the origin.
        if (headers.IndexOf("\nNats-Expected-"u8) >= 0) headers = MessageHeaders.WithoutPrefix(headers, "Nats-Expected-"u8);
        if (headers.IndexOf("\nNats-Batch-"u8) >= 0) headers = MessageHeaders.WithoutPrefix(headers, "Nats-Batch-"u8);
        if (DiscardNewValidator.Validate(target.Config, store, subject, headers, message.Payload) is { } full) return full;
        if (message.Sequence > store.LastSequence + 1) store.SkipTo(message.Sequence - 1);
        return Append(target, subject, headers, in message, Math.Max(message.Timestamp, store.LastTimestamp));
    }

    // With a header that identifies the origin, unless it has been stored already.
    private static ApiError? Source(StreamCore target, StreamSource source, in StoredMessage message, List<SubjectTransform> transforms, string identity)
    {
        var now = target.Services.Clock.Now;
        var id = MessageHeaders.TryFind(message.Headers, "Nats-Msg-Id"u8, out var value) ? DuplicateWindow.KeyOf(value) : "";
        if (id.Length > 0 && target.Duplicates.TryFind(id, now, out _)) return null;
        var subject = Transform(message.Subject, transforms);
        if (target.InputTransform?.Apply(subject) is { } transformed) subject = transformed;
        var headers = MessageHeaders.Without(message.Headers, "Nats-Stream-Source"u8);
        headers = MessageHeaders.WithoutPrefix(headers, "Nats-Expected-"u8);
        headers = MessageHeaders.WithoutPrefix(headers, "Nats-Batch-"u8);
        headers = MessageHeaders.With(headers, "Nats-Stream-Source"u8, SourcePosition.Write(source, message.Sequence, message.Subject, identity));
        if (target.Config.AllowMessageCounter) return Counter.StoreSourced(target, subject, headers, message.Payload, out _);
        if (DiscardNewValidator.Validate(target.Config, target.Store, subject, headers, message.Payload) is { } full) return full;
        var error = Append(target, subject, headers, in message, Math.Max(now, target.Store.LastTimestamp));
        if (error is null && id.Length > 0) target.Duplicates.Add(id, target.Store.LastSequence, now);
        return error;
    }

    private static ReadOnlySpan<byte> Transform(ReadOnlySpan<byte> subject, List<SubjectTransform> transforms)
    {
        foreach (var transform in transforms)
            if (transform.Apply(subject) is { } transformed) return transformed;
        return subject;
    }

    private static ApiError? Append(StreamCore target, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, in StoredMessage message, long timestamp)
    {
        var store = target.Store;
        var bytes = store.ReportedBytes(subject.Length, headers.Length, message.Payload.Length);
        if (target.Storage.FindLimitProblem(target.Config.Storage, bytes) is { } limit) return limit;
        var wasEmpty = store.Messages == 0;
        // Only a stream that allows times to live removes messages for theirs.
        var seconds = target.Config.AllowMessageTtl ? message.TimeToLiveSeconds : 0;
        var status = store.Append(subject, headers, message.Payload, timestamp, seconds, out _);
        if (status != StoreStatus.Ok) return StreamAppender.StoreFailed(store);
        if (wasEmpty || seconds > 0) target.OnExpiryChanged();
        return null;
    }
}
