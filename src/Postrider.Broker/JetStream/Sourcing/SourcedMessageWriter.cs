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
        var appender = new StreamAppender(target);
        using (target.Gate.Hold())
        {
            if (target.IsClosed) return default;
            foreach (var message in messages)
            {
                problem = target.Config.Mirror is not null
                    ? Mirror(target, appender, in message, transforms)
                    : Source(target, appender, source, in message, transforms, identity);
                // A message that is not a counter's will never be accepted: it is skipped.
                if (problem is not null && !ReferenceEquals(problem, ApiErrors.MessageCounterBroken))
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
    private static ApiError? Mirror(StreamCore target, StreamAppender appender, in StoredMessage message, List<SubjectTransform> transforms)
    {
        if (message.Sequence <= target.Store.LastSequence) return null;
        var subject = Transform(message.Subject, transforms);
        return appender.TryCopy(subject, WithoutConditions(message.Headers), message.Payload, message.Sequence, message.Timestamp);
    }

    // With a header that identifies the origin, unless it has been stored already.
    private static ApiError? Source(
        StreamCore target, StreamAppender appender, StreamSource source, in StoredMessage message, List<SubjectTransform> transforms, string identity)
    {
        var now = target.Services.Clock.Now;
        if (MessageHeaders.TryFind(message.Headers, "Nats-Msg-Id"u8, out var id) && target.Duplicates.TryFind(id, now, out _)) return null;
        var subject = Transform(message.Subject, transforms);
        if (target.InputTransform?.Apply(subject) is { } transformed) subject = transformed;
        var headers = WithoutConditions(MessageHeaders.Without(message.Headers, "Nats-Stream-Source"u8));
        headers = MessageHeaders.With(headers, "Nats-Stream-Source"u8, SourcePosition.Write(source, message.Sequence, message.Subject, identity));
        return appender.TryCopy(subject, headers, message.Payload, sequence: 0, now);
    }

    // The publisher's expectations were checked by the origin.
    private static ReadOnlySpan<byte> WithoutConditions(ReadOnlySpan<byte> headers)
    {
        if (headers.IndexOf("\nNats-Expected-"u8) >= 0) headers = MessageHeaders.WithoutPrefix(headers, "Nats-Expected-"u8);
        if (headers.IndexOf("\nNats-Batch-"u8) >= 0) headers = MessageHeaders.WithoutPrefix(headers, "Nats-Batch-"u8);
        return headers;
    }

    private static ReadOnlySpan<byte> Transform(ReadOnlySpan<byte> subject, List<SubjectTransform> transforms)
    {
        foreach (var transform in transforms)
            if (transform.Apply(subject) is { } transformed) return transformed;
        return subject;
    }
}
