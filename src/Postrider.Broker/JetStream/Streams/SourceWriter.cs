using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Subjects;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Stores messages that come from other streams. The target's lock is held.</summary>
internal static class SourceWriter
{
    /// <summary>Stores a message under its origin's sequence and time.</summary>
    public static ApiError? Mirror(StreamCore target, in StoredMessage message, List<SubjectTransform> transforms)
    {
        var store = target.Store;
        if (message.Sequence <= store.LastSequence) return null;
        if (message.Sequence > store.LastSequence + 1) store.SkipTo(message.Sequence - 1);
        return Append(target, Transform(message.Subject, transforms), message.Headers, in message, Math.Max(message.Timestamp, store.LastTimestamp));
    }

    /// <summary>Stores a message with a header that says where it came from, unless it was stored before.</summary>
    public static ApiError? Source(StreamCore target, StreamSource source, in StoredMessage message, List<SubjectTransform> transforms)
    {
        var now = target.Services.Clock.Now;
        var id = MessageHeaders.TryFind(message.Headers, "Nats-Msg-Id"u8, out var value) ? DuplicateWindow.KeyOf(value) : "";
        if (id.Length > 0 && target.Duplicates.TryFind(id, now, out _)) return null;
        var subject = Transform(message.Subject, transforms);
        if (target.InputTransform?.Apply(subject) is { } transformed) subject = transformed;
        var headers = MessageHeaders.Without(message.Headers, "Nats-Stream-Source"u8);
        headers = MessageHeaders.WithoutPrefix(headers, "Nats-Expected-"u8);
        headers = MessageHeaders.WithoutPrefix(headers, "Nats-Batch-"u8);
        headers = MessageHeaders.With(headers, "Nats-Stream-Source"u8, SourcePosition.Write(source, message.Sequence, message.Subject));
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
        var status = store.Append(subject, headers, message.Payload, timestamp, message.TimeToLiveSeconds, out _);
        if (status != StoreStatus.Ok) return StreamAppender.StoreFailed(store);
        if (wasEmpty || message.TimeToLiveSeconds > 0) target.OnExpiryChanged();
        return null;
    }
}
