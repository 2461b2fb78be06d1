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
    /// <summary>The limit that a message would exceed, or null.</summary>
    public static ApiError? Validate(StreamConfig config, MessageStore store, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
        => Validate(config, store, subject, headers, payload, 0, 0, 0);

    /// <summary>The limit that a message would exceed after others that are not stored yet, or null.</summary>
    /// <param name="config">The stream's configuration.</param>
    /// <param name="store">Its messages.</param>
    /// <param name="subject">The message's subject.</param>
    /// <param name="headers">Its headers.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="moreMessages">The number of messages before it.</param>
    /// <param name="moreBytes">Their size in bytes.</param>
    /// <param name="moreOfSubject">The number of those with its subject.</param>
    public static ApiError? Validate(
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
        var replacesOne = false;
        long replacedBytes = 0;
        var ofSubject = store.Queries.TryGetSubject(subject, out var state) ? state.Messages : 0;
        if (config.MaxMessagesPerSubject > 0 && ofSubject + moreOfSubject >= config.MaxMessagesPerSubject)
        {
            // A roll-up frees the space itself.
            if (config.DiscardNewPerSubject && !MessageHeaders.TryFind(headers, "Nats-Rollup"u8, out _)) return Full("maximum messages per subject exceeded");
            replacesOne = true;
            if (ofSubject > 0 && store.TryRead(state.First, out var first) == StoreStatus.Ok)
                replacedBytes = store.ReportedBytes(first.Subject.Length, first.Headers.Length, first.Payload.Length);
        }
        if (config.MaxMessages > 0 && store.Messages + moreMessages >= config.MaxMessages && !replacesOne) return Full("maximum messages exceeded");
        var bytes = store.ReportedBytes(subject.Length, headers.Length, payload.Length);
        var isTooMuch = config.MaxBytes > 0 && store.Bytes + moreBytes + bytes > config.MaxBytes;
        return isTooMuch && (!replacesOne || replacedBytes < bytes) ? Full("maximum bytes exceeded") : null;
    }

    private static ApiError Full(string why) => ApiErrors.StreamStoreFailedF.With("err", why);
}
