using System.Globalization;
using System.Text;
using Postrider.Broker.Storage;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.Streams;

/// <summary>Stores messages whose headers were found right, with everything that follows from them. The stream's lock is held.</summary>
internal sealed class PublishStore(MessageStream stream)
{
    /// <summary>What becomes of stored messages elsewhere, or null.</summary>
    public SubjectTransform? Republish { get; set; }

    /// <summary>Stores a message.</summary>
    /// <param name="subject">Its subject, transformed.</param>
    /// <param name="headers">Its headers.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="found">What the headers ask for.</param>
    /// <param name="rollup">What it replaces.</param>
    /// <param name="sequence">The sequence it got.</param>
    /// <param name="sum">The counter's new sum; empty for no counter.</param>
    /// <returns>The problem, or null.</returns>
    public ApiError? TryStore(
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        in PublishHeaders found,
        RollupKind rollup,
        out ulong sequence,
        out string sum)
    {
        sequence = 0;
        sum = "";
        var config = stream.Config;
        if (config.AllowMessageCounter)
        {
            _ = Counter.TryParse(found.Increment, out var increment);
            if (Counter.Apply(stream.Store, subject, increment, ref headers, out sum, out var body) is { } broken) return broken;
            payload = body;
            if (config.MaxMessageBytes >= 0 && headers.Length + (long)payload.Length > config.MaxMessageBytes) return ApiErrors.StreamMessageExceedsMaximum;
        }
        var messageId = found.MessageId.IsEmpty ? "" : Encoding.UTF8.GetString(found.MessageId);
        if (config.Retention == RetentionPolicy.Interest && !StreamInterest.IsWanted(stream, subject))
        {
            sequence = stream.Store.NextSequence;
            stream.Store.SkipTo(sequence);
            Remember(messageId, sequence);
            StreamRollup.Apply(stream, subject, rollup, keep: 0);
            return null;
        }
        if (found.HasSchedule && found.Rollup.IsEmpty && MessageHeaders.TryFind(headers, "Nats-Schedule"u8, out _))
        {
            // A subject has one schedule: the newest.
            headers = MessageHeaders.With(headers, "Nats-Rollup"u8, "sub"u8);
            rollup = RollupKind.Subject;
        }
        if (!TimeToLive.TryParse(found.TimeToLive, out var seconds)) return ApiErrors.MessageTTLInvalid;
        if (seconds > 0 && config.SubjectDeleteMarkerTtl > TimeSpan.Zero && config.MaxMessagesPerSubject != 1)
        {
            // A message that lived shorter than a marker would outlive a marker that was there before it.
            var least = (uint)config.SubjectDeleteMarkerTtl.TotalSeconds;
            if (seconds < least) headers = WithTimeToLive(headers, seconds = least);
        }
        if (DiscardNew.FirstProblem(stream, subject, headers, payload) is { } full) return full;
        var before = Republish is null ? 0 : stream.Store.Queries.TryGetSubject(subject, out var state) ? state.Last : 0;
        if (TryAppend(subject, headers, payload, seconds, stream.Account.Engine.Clock.Now, out sequence) is { } error) return error;
        Remember(messageId, sequence);
        StreamRollup.Apply(stream, subject, rollup, keep: 1);
        if (found.HasSchedule && config.AllowMessageSchedules)
        {
            stream.Schedules.Stored(subject, headers, sequence);
            stream.ExpiryChanged();
        }
        if (Republish is not null) Republisher.Add(stream, Republish, subject, headers, payload, sequence, before);
        return null;
    }

    /// <summary>Appends a message and nothing else.</summary>
    public ApiError? TryAppend(
        ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, uint seconds, long now, out ulong sequence)
    {
        var store = stream.Store;
        sequence = 0;
        if (stream.Account.FindLimitProblem(stream.Config.Storage, store.ReportedBytes(subject.Length, headers.Length, payload.Length)) is { } limit) return limit;
        var timestamp = Math.Max(now, store.LastTimestamp);
        var wasEmpty = store.Messages == 0;
        switch (store.Append(subject, headers, payload, timestamp, seconds, out sequence))
        {
            case StoreStatus.Ok:
                if (seconds != 0 || wasEmpty) stream.ExpiryChanged();
                return null;
            case StoreStatus.TooLarge:
                return ApiErrors.StreamStoreFailedF.With("err", "message to large");
            default:
                return ApiErrors.StreamStoreFailedF.With("err", store.Fault?.Message ?? "the store refused the message");
        }
    }

    private static byte[] WithTimeToLive(ReadOnlySpan<byte> headers, uint seconds)
        => MessageHeaders.With(
            MessageHeaders.Without(headers, "Nats-TTL"u8), "Nats-TTL"u8, Encoding.ASCII.GetBytes(seconds.ToString(CultureInfo.InvariantCulture)));

    private void Remember(string messageId, ulong sequence)
    {
        stream.LastMessageId = messageId;
        if (messageId.Length > 0) stream.Duplicates.Add(messageId, sequence, stream.Account.Engine.Clock.Now);
    }
}
