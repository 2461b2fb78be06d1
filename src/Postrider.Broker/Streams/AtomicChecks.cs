using System.Text;
using Postrider.Broker.Storage;

namespace Postrider.Broker.Streams;

/// <summary>Checks a whole batch before its first message is stored. The stream's lock is held.</summary>
internal static class AtomicChecks
{
    private const int MaxHeaderBytes = ushort.MaxValue;

    /// <summary>The first problem of the batch's messages, or null.</summary>
    public static ApiError? FirstProblem(MessageStream stream, AtomicBatch batch)
    {
        var ids = new HashSet<string>(StringComparer.Ordinal);
        var written = new Dictionary<string, long>(StringComparer.Ordinal);
        long bytes = 0;
        for (var i = 0; i < batch.Messages.Count; i++)
        {
            var (subject, headers, payload) = batch.Messages[i];
            var found = PublishHeaders.Read(headers);
            var stored = stream.InputTransform?.Apply(subject) ?? subject;
            if (CheckMessage(stream, headers, payload, in found, ids) is { } problem) return problem;
            if (CheckExpected(stream, stored, in found, i, written) is { } unexpected) return unexpected;
            if (PublishChecks.FirstLateProblem(stream, in found, out _) is { } late) return late;
            if (ScheduleChecks.FirstProblem(stream, stored, headers, in found) is { } schedule) return schedule;
            var text = Encoding.UTF8.GetString(stored);
            var ofSubject = written.GetValueOrDefault(text);
            if (DiscardNew.FirstProblem(stream, stored, headers, payload, i, bytes, ofSubject) is { } full) return full;
            written[text] = ofSubject + 1;
            bytes += stream.Store.ReportedBytes(stored.Length, headers.Length, payload.Length);
        }
        return null;
    }

    private static ApiError? CheckMessage(MessageStream stream, byte[] headers, byte[] payload, in PublishHeaders found, HashSet<string> ids)
    {
        var config = stream.Config;
        if (!found.ExpectedLastMessageId.IsEmpty) return ApiErrors.AtomicPublishUnsupportedHeaderBatch.With("header", "Nats-Expected-Last-Msg-Id");
        if (headers.Length > MaxHeaderBytes) return ApiErrors.StreamHeaderExceedsMaximum;
        if (!found.Increment.IsEmpty && PublishChecks.FindIncrementProblem(config, payload, in found) is { } increment) return increment;
        if (!found.ExpectedStream.IsEmpty && Encoding.UTF8.GetString(found.ExpectedStream) != stream.Name) return ApiErrors.StreamNotMatch;
        if (!found.TimeToLive.IsEmpty)
        {
            var isValid = TimeToLive.TryParse(found.TimeToLive, out var seconds, out var never);
            if (!config.AllowMessageTtl && (seconds != 0 || never || !isValid)) return ApiErrors.MessageTTLDisabled;
            if (!isValid) return ApiErrors.MessageTTLInvalid;
        }
        if (!found.MessageId.IsEmpty)
        {
            var id = Encoding.UTF8.GetString(found.MessageId);
            if (!ids.Add(id) || stream.Duplicates.TryFind(id, stream.Account.Engine.Clock.Now, out _)) return ApiErrors.AtomicPublishContainsDuplicateMessage;
        }
        return found.StreamSource.IsEmpty ? null : ApiErrors.MessageSourceHdrNotAllowed;
    }

    private static ApiError? CheckExpected(MessageStream stream, byte[] subject, in PublishHeaders found, int place, Dictionary<string, long> written)
    {
        MessageStore store = stream.Store;
        if (!found.ExpectedLastSequence.IsEmpty)
        {
            if (PublishHeaders.Number(found.ExpectedLastSequence) != store.LastSequence + (ulong)place) return PublishChecks.WrongLast(store.LastSequence + (ulong)place);
            if (place > 0) return ApiErrors.StreamWrongLastSequenceConstant;
        }
        if (found.ExpectedLastSubjectSequence.IsEmpty)
            return found.ExpectedLastSubjectSequenceSubject.IsEmpty ? null : ApiErrors.StreamExpectedLastSeqPerSubjectInvalid;
        var about = found.ExpectedLastSubjectSequenceSubject.IsEmpty ? subject : found.ExpectedLastSubjectSequenceSubject;
        if (written.ContainsKey(Encoding.UTF8.GetString(about))) return ApiErrors.StreamWrongLastSequenceConstant;
        var last = PublishChecks.LastOf(store, about);
        return last == PublishHeaders.Number(found.ExpectedLastSubjectSequence) ? null : PublishChecks.WrongLast(last);
    }
}
