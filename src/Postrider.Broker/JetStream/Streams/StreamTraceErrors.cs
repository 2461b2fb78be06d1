using System.Globalization;
using System.Text;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams.Publishing;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Why a stream rejected a traced message, in nats-server's words, which are not always those of its API.</summary>
internal static class StreamTraceErrors
{
    /// <summary>The text for an error. The stream's lock is held.</summary>
    /// <param name="problem">The error.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="subject">The message's transformed subject.</param>
    /// <param name="found">The message's headers that concern the stream.</param>
    public static string TextOf(ApiError problem, StreamCore stream, ReadOnlySpan<byte> subject, in PublishHeaders found)
    {
        if (problem.ErrorCode == ApiErrors.MessageTTLDisabled.ErrorCode) return "message TTL disabled";
        if (problem.ErrorCode == ApiErrors.StreamWrongLastMsgID.ErrorCode)
            return $"last msgid mismatch: {GoQuote.Quote(Encoding.UTF8.GetString(found.ExpectedLastMessageId))} vs {GoQuote.Quote(Encoding.UTF8.GetString(stream.LastMessageId.Value))}";
        if (problem.ErrorCode == ApiErrors.StreamWrongLastSequence.ErrorCode)
        {
            if (!found.ExpectedLastSubjectSequence.IsEmpty)
            {
                var last = PublishValidator.LastOf(stream.Store, found.ExpectedLastSubjectSequenceSubject.IsEmpty ? subject : found.ExpectedLastSubjectSequenceSubject);
                var expected = PublishHeaders.Number(found.ExpectedLastSubjectSequence);
                if (last != expected) return string.Create(CultureInfo.InvariantCulture, $"last sequence by subject mismatch: {expected} vs {last}");
            }
            return string.Create(CultureInfo.InvariantCulture, $"last sequence mismatch: {PublishHeaders.Number(found.ExpectedLastSequence)} vs {stream.Store.LastSequence}");
        }
        if (problem.ErrorCode == ApiErrors.StreamMessageExceedsMaximum.ErrorCode || problem.ErrorCode == ApiErrors.StreamHeaderExceedsMaximum.ErrorCode) return "maximum payload exceeded";
        return IsPlain(problem) ? problem.Description : string.Create(CultureInfo.InvariantCulture, $"{problem.Description} ({problem.ErrorCode})");
    }

    private static bool IsPlain(ApiError problem)
        => problem.ErrorCode == ApiErrors.StreamNotMatch.ErrorCode || problem.ErrorCode == ApiErrors.StreamRollupFailedF.ErrorCode || problem.ErrorCode == ApiErrors.StreamStoreFailedF.ErrorCode;
}
