using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Checks whether a stream with the policy "discard new" has room for a message. Called with the stream's lock held.</summary>
internal static class DiscardNewValidator
{
    /// <summary>The limit that a message would exceed, or null. If its subject is full, it takes the place of the subject's first message.</summary>
    public static ApiError? Validate(StreamConfig config, MessageStore store, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        if (config.Discard != DiscardPolicy.New) return null;
        var replacesOne = false;
        long replacedBytes = 0;
        if (config.MaxMessagesPerSubject > 0 && store.Queries.TryGetSubject(subject, out var state) && state.Messages >= config.MaxMessagesPerSubject)
        {
            if (config.DiscardNewPerSubject && !IsRollup(headers)) return Full("maximum messages per subject exceeded");
            replacesOne = true;
            if (store.TryRead(state.First, out var first) == StoreStatus.Ok)
                replacedBytes = store.ReportedBytes(first.Subject.Length, first.Headers.Length, first.Payload.Length);
        }
        if (config.MaxMessages > 0 && store.Messages >= config.MaxMessages && !replacesOne) return Full("maximum messages exceeded");
        var bytes = store.ReportedBytes(subject.Length, headers.Length, payload.Length);
        var isTooMuch = config.MaxBytes > 0 && store.Bytes + bytes > config.MaxBytes;
        return isTooMuch && (!replacesOne || replacedBytes < bytes) ? Full("maximum bytes exceeded") : null;
    }

    /// <summary>The limit that a message of a batch would exceed after others that are not stored yet, or null. As in nats-server it takes no other
    /// message's place.</summary>
    /// <param name="config">The stream's configuration.</param>
    /// <param name="store">Its messages.</param>
    /// <param name="subject">The message's subject.</param>
    /// <param name="headers">Its headers.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="moreMessages">The number of messages before it.</param>
    /// <param name="moreBytes">Their size in bytes.</param>
    /// <param name="moreOfSubject">The number of those with its subject.</param>
    public static ApiError? ValidateOfBatch(
        StreamConfig config,
        MessageStore store,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        long moreMessages,
        long moreBytes,
        long moreOfSubject)
    {
        if (config.Discard != DiscardPolicy.New) return null;
        if (config.MaxMessages > 0 && store.Messages + moreMessages >= config.MaxMessages) return Full("maximum messages exceeded");
        var bytes = store.ReportedBytes(subject.Length, headers.Length, payload.Length);
        if (config.MaxBytes > 0 && store.Bytes + moreBytes + bytes > config.MaxBytes) return Full("maximum bytes exceeded");
        if (!config.DiscardNewPerSubject || config.MaxMessagesPerSubject <= 0 || IsRollup(headers)) return null;
        var ofSubject = store.Queries.TryGetSubject(subject, out var state) ? state.Messages : 0;
        return ofSubject + moreOfSubject >= config.MaxMessagesPerSubject ? Full("maximum messages per subject exceeded") : null;
    }

    // A roll-up frees the space itself.
    private static bool IsRollup(ReadOnlySpan<byte> headers) => MessageHeaders.TryFind(headers, "Nats-Rollup"u8, out _);

    private static ApiError Full(string why) => ApiErrors.StreamStoreFailedF.With("err", why);
}
