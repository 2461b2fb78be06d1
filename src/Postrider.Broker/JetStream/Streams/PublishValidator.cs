using System.Globalization;
using System.Text;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Checks the conditions in a publish's headers, in nats-server's order. Called with the stream's lock held.</summary>
internal static class PublishValidator
{
    private const int MaxHeaderBytes = ushort.MaxValue;

    /// <summary>The first reason to reject a message, before its id is looked up.</summary>
    public static ApiError? Validate(
        StreamCore stream, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, in PublishHeaders found)
    {
        var config = stream.Config;
        if (config.Sealed) return ApiErrors.StreamSealed;
        if (!config.Fits(headers, payload)) return ApiErrors.StreamMessageExceedsMaximum;
        if (headers.Length > MaxHeaderBytes) return ApiErrors.StreamHeaderExceedsMaximum;
        if (!found.Any) return null;
        if (!found.Increment.IsEmpty && FindIncrementProblem(config, payload, in found) is { } increment) return increment;
        if (!found.ExpectedStream.IsEmpty && !found.ExpectedStream.SequenceEqual(Encoding.UTF8.GetBytes(stream.Name))) return ApiErrors.StreamNotMatch;
        if (!config.AllowMessageTtl && MessageTtl.TryParse(found.TimeToLive, out var seconds, out var never) && (seconds != 0 || never)) return ApiErrors.MessageTTLDisabled;
        return FindSequenceProblem(stream, subject, in found)
            ?? ScheduleValidator.Validate(stream, subject, headers, in found)
            ?? (found.StreamSource.IsEmpty ? null : ApiErrors.MessageSourceHdrNotAllowed);
    }

    /// <summary>The first reason to reject a message of a batch, before the batch is checked.</summary>
    public static ApiError? ValidateOfBatch(StreamCore stream, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        var config = stream.Config;
        if (config.Sealed) return ApiErrors.StreamSealed;
        if (stream.Storage.FindLimitProblem(config.Storage, stream.Store.ReportedBytes(subject.Length, headers.Length, payload.Length)) is { } limit) return limit;
        return config.Fits(headers, payload) ? null : ApiErrors.StreamMessageExceedsMaximum;
    }

    /// <summary>The first reason to reject a message of a batch, before its id is looked up.</summary>
    public static ApiError? ValidateHeadersOfBatch(StreamCore stream, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, in PublishHeaders found)
    {
        var config = stream.Config;
        if (headers.Length > MaxHeaderBytes) return ApiErrors.StreamHeaderExceedsMaximum;
        if (!found.Increment.IsEmpty && FindIncrementProblem(config, payload, in found) is { } increment) return increment;
        if (!found.ExpectedStream.IsEmpty && !found.ExpectedStream.SequenceEqual(Encoding.UTF8.GetBytes(stream.Name))) return ApiErrors.StreamNotMatch;
        if (found.TimeToLive.IsEmpty) return null;
        var isValid = MessageTtl.TryParse(found.TimeToLive, out var seconds, out var never);
        if (!config.AllowMessageTtl && (seconds != 0 || never || !isValid)) return ApiErrors.MessageTTLDisabled;
        return isValid ? null : ApiErrors.MessageTTLInvalid;
    }

    /// <summary>The first expected sequence that a message of a batch does not meet, or null.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="subject">The message's subject.</param>
    /// <param name="found">Its headers.</param>
    /// <param name="place">The number of messages before it that are not stored yet.</param>
    /// <param name="written">The subjects of these messages; null if there are none.</param>
    public static ApiError? FindSequenceProblemOfBatch(StreamCore stream, ReadOnlySpan<byte> subject, in PublishHeaders found, int place, Dictionary<string, long>? written)
    {
        var store = stream.Store;
        if (!found.ExpectedLastSequence.IsEmpty)
        {
            if (PublishHeaders.Number(found.ExpectedLastSequence) != store.LastSequence + (ulong)place) return WrongLast(store.LastSequence + (ulong)place);
            if (place > 0) return ApiErrors.StreamWrongLastSequenceConstant;
        }
        return FindSubjectSequenceProblem(store, subject, in found, written);
    }

    /// <summary>The first reason to reject a message whose id is new.</summary>
    public static ApiError? ValidateLate(StreamCore stream, in PublishHeaders found, out RollupKind rollup)
    {
        rollup = RollupKind.None;
        if (!found.ExpectedLastMessageId.IsEmpty && !stream.LastMessageId.Value.SequenceEqual(found.ExpectedLastMessageId))
            return ApiErrors.StreamWrongLastMsgID.With("id", Encoding.UTF8.GetString(stream.LastMessageId.Value));
        if (found.Rollup.IsEmpty) return found.Increment.IsEmpty && stream.Config.AllowMessageCounter ? ApiErrors.MessageIncrMissing : null;
        if (!stream.Config.MayReplace) return ApiErrors.StreamRollupFailedF.With("err", "rollup not permitted");
        rollup = ReadRollup(found.Rollup);
        if (rollup == RollupKind.None)
            return ApiErrors.StreamRollupFailedF.With("err", $"rollup value invalid: {GoQuote.Quote(Encoding.UTF8.GetString(found.Rollup).ToLowerInvariant())}");
        return found.Increment.IsEmpty && stream.Config.AllowMessageCounter ? ApiErrors.MessageIncrMissing : null;
    }

    /// <summary>Reads the roll-up header; unknown values count as none.</summary>
    public static RollupKind ReadRollup(ReadOnlySpan<byte> value)
        => value.Length != 3 ? RollupKind.None : Encoding.UTF8.GetString(value).ToUpperInvariant() switch
        {
            "SUB" => RollupKind.Subject,
            "ALL" => RollupKind.All,
            _ => RollupKind.None,
        };

    /// <summary>Why an increment cannot be applied, or null.</summary>
    public static ApiError? FindIncrementProblem(StreamConfig config, ReadOnlySpan<byte> payload, in PublishHeaders found)
    {
        if (!DecimalInteger.TryParse(found.Increment, out _)) return ApiErrors.MessageIncrInvalid;
        if (!config.AllowMessageCounter) return ApiErrors.MessageIncrDisabled;
        if (!payload.IsEmpty) return ApiErrors.MessageIncrPayload;
        var conflicts = !found.Rollup.IsEmpty || !found.ExpectedStream.IsEmpty || !found.ExpectedLastMessageId.IsEmpty
            || !found.ExpectedLastSubjectSequenceSubject.IsEmpty || !found.ExpectedLastSequence.IsEmpty || !found.ExpectedLastSubjectSequence.IsEmpty;
        return conflicts ? ApiErrors.MessageIncrInvalid : null;
    }

    private static ApiError? FindSequenceProblem(StreamCore stream, ReadOnlySpan<byte> subject, in PublishHeaders found)
    {
        var store = stream.Store;
        if (FindSubjectSequenceProblem(store, subject, in found, null) is { } unexpected) return unexpected;
        return !found.ExpectedLastSequence.IsEmpty && PublishHeaders.Number(found.ExpectedLastSequence) != store.LastSequence ? WrongLast(store.LastSequence) : null;
    }

    private static ApiError? FindSubjectSequenceProblem(MessageStore store, ReadOnlySpan<byte> subject, in PublishHeaders found, Dictionary<string, long>? written)
    {
        if (found.ExpectedLastSubjectSequence.IsEmpty)
            return found.ExpectedLastSubjectSequenceSubject.IsEmpty ? null : ApiErrors.StreamExpectedLastSeqPerSubjectInvalid;
        var about = found.ExpectedLastSubjectSequenceSubject.IsEmpty ? subject : found.ExpectedLastSubjectSequenceSubject;
        if (written is not null && written.ContainsKey(ByteKey.Of(about))) return ApiErrors.StreamWrongLastSequenceConstant;
        var last = LastOf(store, about);
        return last == PublishHeaders.Number(found.ExpectedLastSubjectSequence) ? null : WrongLast(last);
    }

    /// <summary>The newest sequence of a subject, or of all that match a pattern; 0 when there is none.</summary>
    public static ulong LastOf(MessageStore store, ReadOnlySpan<byte> subject)
    {
        if (!SubjectPattern.HasWildcard(subject)) return store.Queries.TryGetSubject(subject, out var state) ? state.Last : 0;
        return store.Queries.TryFindPrevious(new SubjectFilter(Encoding.UTF8.GetString(subject)), store.LastSequence, out var sequence) ? sequence : 0;
    }

    /// <summary>The error that contains the newest sequence.</summary>
    public static ApiError WrongLast(ulong last)
        => ApiErrors.StreamWrongLastSequence.With("seq", last.ToString(CultureInfo.InvariantCulture));
}
