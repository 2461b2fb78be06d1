using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Checks a whole batch before its first message is stored: afterwards only the store can reject it. The stream's lock is held.</summary>
internal static class AtomicPublishValidator
{
    /// <summary>The first problem of the batch's messages, or null.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="store">Prepares its messages.</param>
    /// <param name="batch">The batch.</param>
    /// <param name="endsWithMarker">Whether its last message becomes the committing one.</param>
    /// <param name="prepared">On success the messages in the form in which they are stored.</param>
    public static ApiError? Validate(StreamCore stream, StreamAppender store, AtomicBatch batch, bool endsWithMarker, out AtomicMessage[] prepared)
    {
        var ids = new HashSet<string>(StringComparer.Ordinal);
        var written = new Dictionary<string, long>(StringComparer.Ordinal);
        var sums = new CounterSums();
        prepared = new AtomicMessage[batch.Count];
        long bytes = 0, idBytes = 0;
        var stored = 0;
        for (var i = 0; i < batch.Count; i++)
        {
            batch.Read(i, out var original, out var headers, out var payload);
            var found = PublishHeaders.Read(headers);
            var subject = stream.InputTransform?.Apply(original) ?? original;
            if (CheckMessage(stream, headers, payload, in found, ids) is { } problem) return problem;
            if (PublishValidator.FindSequenceProblemOfBatch(stream, subject, in found, i, written) is { } unexpected) return unexpected;
            if (PublishValidator.ValidateLate(stream, in found, out var rollup) is { } late) return late;
            var key = ByteKey.Of(subject);
            if (FindRollupProblem(rollup, key, written) is { } misplaced) return misplaced;
            if (ScheduleValidator.Validate(stream, subject, headers, in found) is { } schedule) return schedule;
            var final = endsWithMarker && i == batch.Count - 1 ? MessageHeaders.With(headers, "Nats-Batch-Commit"u8, "1"u8) : headers;
            var message = new PreparedMessage { Subject = subject, Headers = final, Payload = payload, Rollup = rollup };
            if (store.Prepare(ref message, in found, sums) is { } broken) return broken;
            prepared[i] = new AtomicMessage(in message, original, headers, payload);
            var ofSubject = written.GetValueOrDefault(key);
            if (!message.IsSkipped)
            {
                if (DiscardNewValidator.ValidateOfBatch(stream.Config, stream.Store, subject, message.Headers, message.Payload, stored, bytes, ofSubject) is { } full) return full;
                if (!MessageStore.IsStorable(subject.Length, message.Headers.Length, message.Payload.Length)) return StreamAppender.TooLarge();
                bytes += stream.Store.ReportedBytes(subject.Length, message.Headers.Length, message.Payload.Length);
                stored++;
            }
            written[key] = ofSubject + 1;
            idBytes += found.MessageId.Length;
        }
        if (stream.FindMemoryProblem(idBytes) is { } behind) return behind;
        return stream.Store.Fault is not null ? StreamAppender.StoreFailed(stream.Store) : stream.Storage.FindLimitProblem(stream.Config.Storage, bytes);
    }

    // A batch does not replace messages of its own.
    private static ApiError? FindRollupProblem(RollupKind rollup, string key, Dictionary<string, long> written) => rollup switch
    {
        RollupKind.Subject when written.ContainsKey(key) => ApiErrors.StreamRollupFailedF.With("err", "batch rollup sub invalid"),
        RollupKind.All when written.Count > 0 => ApiErrors.StreamRollupFailedF.With("err", "batch rollup all invalid"),
        _ => null,
    };

    private static ApiError? CheckMessage(StreamCore stream, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, in PublishHeaders found, HashSet<string> ids)
    {
        if (!found.ExpectedLastMessageId.IsEmpty) return ApiErrors.AtomicPublishUnsupportedHeaderBatch.With("header", "Nats-Expected-Last-Msg-Id");
        if (PublishValidator.ValidateHeadersOfBatch(stream, headers, payload, in found) is { } invalid) return invalid;
        if (!found.MessageId.IsEmpty)
        {
            if (!ids.Add(ByteKey.Of(found.MessageId)) || stream.Duplicates.TryFind(found.MessageId, stream.Services.Clock.Now, out _)) return ApiErrors.AtomicPublishContainsDuplicateMessage;
        }
        return found.StreamSource.IsEmpty ? null : ApiErrors.MessageSourceHdrNotAllowed;
    }
}
