using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Subjects;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Stores messages whose headers were checked, with all consequences. The stream's lock is held.</summary>
internal sealed class StreamAppender(StreamCore stream)
{
    /// <summary>Checks the conditions in a message's headers, and stores it unless it is a duplicate.</summary>
    /// <param name="subject">The transformed subject.</param>
    /// <param name="headers">Its headers.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="found">The headers that concern the stream.</param>
    /// <param name="result">The result.</param>
    /// <returns>The problem, or null.</returns>
    public ApiError? TryPublish(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, in PublishHeaders found, out PublishResult result)
    {
        result = new PublishResult(0, "", IsDuplicate: false);
        if (PublishValidator.Validate(stream, subject, headers, payload, in found) is { } problem) return problem;
        if (TryFindDuplicate(in found, ref result)) return null;
        if ((PublishValidator.ValidateLate(stream, in found, out var rollup) ?? stream.FindMemoryProblem(found.MessageId.Length)) is { } late) return late;
        var refused = TryStore(subject, headers, payload, in found, rollup, out var sequence, out var sum);
        result = new PublishResult(sequence, sum, IsDuplicate: false);
        return refused;
    }

    /// <summary>Checks the conditions in the headers of a fast batch's message, and stores it unless it is a duplicate: unlike for other messages,
    /// nats-server looks its id up before it compares sequences, and counts it in addition to the messages that it would replace.</summary>
    /// <param name="subject">The transformed subject.</param>
    /// <param name="headers">Its headers.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="found">The headers that concern the stream.</param>
    /// <param name="result">The result.</param>
    /// <returns>The problem, or null.</returns>
    public ApiError? TryPublishOfBatch(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, in PublishHeaders found, out PublishResult result)
    {
        result = new PublishResult(0, "", IsDuplicate: false);
        if (PublishValidator.ValidateHeadersOfBatch(stream, headers, payload, in found) is { } invalid) return invalid;
        if (TryFindDuplicate(in found, ref result)) return null;
        if (!found.StreamSource.IsEmpty) return ApiErrors.MessageSourceHdrNotAllowed;
        if (PublishValidator.FindSequenceProblemOfBatch(stream, subject, in found, place: 0, written: null) is { } unexpected) return unexpected;
        if (ScheduleValidator.Validate(stream, subject, headers, in found) is { } schedule) return schedule;
        if ((PublishValidator.ValidateLate(stream, in found, out var rollup) ?? stream.FindMemoryProblem(found.MessageId.Length)) is { } late) return late;
        var message = new PreparedMessage { Subject = subject, Headers = headers, Payload = payload, Rollup = rollup };
        if (Prepare(ref message, in found, null) is { } unfit) return unfit;
        if (!message.IsSkipped && DiscardNewValidator.ValidateOfBatch(stream.Config, stream.Store, subject, message.Headers, message.Payload, 0, 0, 0) is { } full) return full;
        var refused = Append(in message, out var sequence, out var lastOfSubject) ?? Complete(in message, sequence, lastOfSubject);
        result = new PublishResult(sequence, message.Sum, IsDuplicate: false);
        return refused;
    }

    /// <summary>Checks a message as <see cref="TryPublish"/> does, except for the limits of a full stream, and stores nothing.</summary>
    /// <remarks>This is what nats-server does for messages that are only traced.</remarks>
    /// <param name="subject">The transformed subject.</param>
    /// <param name="headers">Its headers.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="found">The headers that concern the stream.</param>
    /// <param name="isDuplicate">Whether it is a duplicate of a stored message.</param>
    /// <returns>The problem, or null.</returns>
    public ApiError? Examine(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, in PublishHeaders found, out bool isDuplicate)
    {
        isDuplicate = false;
        if (PublishValidator.Validate(stream, subject, headers, payload, in found) is { } problem) return problem;
        PublishResult known = default;
        isDuplicate = TryFindDuplicate(in found, ref known);
        if (isDuplicate) return null;
        if (PublishValidator.ValidateLate(stream, in found, out var rollup) is { } late) return late;
        var message = new PreparedMessage { Subject = subject, Headers = headers, Payload = payload, Rollup = rollup };
        if (Prepare(ref message, in found, null) is { } unfit) return unfit;
        if (message.IsSkipped) return null;
        return stream.Storage.FindLimitProblem(stream.Config.Storage, stream.Store.ReportedBytes(subject.Length, message.Headers.Length, message.Payload.Length));
    }

    /// <summary>Stores a message.</summary>
    /// <param name="subject">The transformed subject.</param>
    /// <param name="headers">Its headers.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="found">The headers that concern the stream.</param>
    /// <param name="rollup">The messages that it replaces.</param>
    /// <param name="sequence">Its sequence.</param>
    /// <param name="sum">The counter's new sum; empty when there is no counter.</param>
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
        var message = new PreparedMessage { Subject = subject, Headers = headers, Payload = payload, Rollup = rollup };
        var problem = Prepare(ref message, in found, null);
        sum = message.Sum;
        return problem ?? Store(in message, out sequence);
    }

    /// <summary>Stores a message of another stream. Its publisher's conditions were checked there; the limits and the retention of this
    /// stream apply to it, it replaces messages where this stream allows it, and it is republished.</summary>
    /// <param name="subject">The transformed subject.</param>
    /// <param name="headers">Its headers.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="sequence">The sequence that it has to get, for a mirror; 0 for the next one.</param>
    /// <param name="timestamp">Its time, in nanoseconds since 1970.</param>
    /// <returns>The problem, or null.</returns>
    public ApiError? TryCopy(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, ulong sequence, long timestamp)
    {
        var config = stream.Config;
        if (config.Sealed) return ApiErrors.StreamSealed;
        if (!config.Fits(headers, payload)) return ApiErrors.StreamMessageExceedsMaximum;
        var found = PublishHeaders.Read(headers);
        if (stream.FindMemoryProblem(found.MessageId.Length) is { } behind) return behind;
        var message = new PreparedMessage
        {
            Subject = subject,
            Headers = headers,
            Payload = payload,
            Sequence = sequence,
            Timestamp = timestamp,
            IsCopy = true,
            Rollup = config.MayReplace ? PublishValidator.ReadRollup(found.Rollup) : RollupKind.None,
            EndsSchedule = config.MayReplace && found.HasSchedule,
        };
        return Prepare(ref message, in found, null) ?? Store(in message, out _);
    }

    /// <summary>Does the remaining checks, and converts a message to the form in which it will be stored. Changes nothing in the stream.</summary>
    /// <param name="message">Subject, headers, payload and roll-up are set; the rest is filled in.</param>
    /// <param name="found">The headers that concern the stream.</param>
    /// <param name="sums">The counters of messages that will be stored before this one, or null.</param>
    /// <returns>The problem, or null.</returns>
    public ApiError? Prepare(ref PreparedMessage message, in PublishHeaders found, CounterSums? sums)
    {
        message.Sum = "";
        message.MessageId = found.MessageId;
        var config = stream.Config;
        if (config.AllowMessageCounter)
        {
            _ = DecimalInteger.TryParse(found.Increment, out var increment);
            var broken = message.IsCopy
                ? Counter.ApplyCopied(stream.Store, message.Subject, ref message.Headers, ref message.Payload)
                : Counter.Apply(stream.Store, message.Subject, increment, sums, ref message.Headers, out message.Sum, ref message.Payload);
            if (broken is not null) return broken;
            if (!config.Fits(message.Headers, message.Payload)) return ApiErrors.StreamMessageExceedsMaximum;
        }
        message.IsSkipped = config.Retention == StreamRetention.Interest && !InterestRetention.IsWanted(stream, message.Subject);
        if (message.IsSkipped) return null;
        message.HasSchedule = found.HasSchedule && config.AllowMessageSchedules;
        if (found.HasSchedule && found.Rollup.IsEmpty && MessageHeaders.TryFind(message.Headers, "Nats-Schedule"u8, out _))
        {
            // A subject has one schedule: the newest.
            message.Headers = MessageHeaders.With(message.Headers, "Nats-Rollup"u8, "sub"u8);
            message.Rollup = RollupKind.Subject;
            if (!config.Fits(message.Headers, message.Payload)) return ApiErrors.StreamMessageExceedsMaximum;
        }
        if (!MessageTtl.TryParse(found.TimeToLive, out message.Seconds) && !message.IsCopy) return ApiErrors.MessageTTLInvalid;
        // Only a stream that allows times to live removes messages for theirs.
        if (!config.AllowMessageTtl) message.Seconds = 0;
        if (message.Seconds > 0 && config.SubjectDeleteMarkerTtl > TimeSpan.Zero && config.MaxMessagesPerSubject != 1)
        {
            // A message with a shorter life than the marker would outlive a marker that existed before it.
            var min = (uint)config.SubjectDeleteMarkerTtl.TotalSeconds;
            if (message.Seconds < min) message.Headers = WithTimeToLive(message.Headers, message.Seconds = min);
        }
        return null;
    }

    /// <summary>Appends a prepared message. Only the store can reject it, which rolls it back to its last commit.</summary>
    /// <param name="message">The message.</param>
    /// <param name="sequence">Its sequence.</param>
    /// <param name="lastOfSubject">The sequence of the previous message of its subject; only set for streams that republish.</param>
    /// <returns>The problem, or null.</returns>
    public ApiError? Append(in PreparedMessage message, out ulong sequence, out ulong lastOfSubject)
    {
        sequence = lastOfSubject = 0;
        if (message.Sequence > stream.Store.NextSequence) stream.Store.SkipTo(message.Sequence - 1);
        if (message.IsSkipped)
        {
            sequence = stream.Store.NextSequence;
            return stream.Store.SkipTo(sequence) == StoreStatus.Ok ? null : StoreFailed(stream.Store);
        }
        if (stream.RepublishTransform is not null) lastOfSubject = stream.Store.Queries.TryGetSubject(message.Subject, out var state) ? state.Last : 0;
        return TryAppend(message.Subject, message.Headers, message.Payload, message.Seconds, message.Timestamp != 0 ? message.Timestamp : stream.Services.Clock.Now, out sequence);
    }

    /// <summary>Handles the consequences of an appended message.</summary>
    /// <returns>The problem, or null: if the disk fails to record the messages that it replaces, the message is lost too.</returns>
    public ApiError? Complete(in PreparedMessage message, ulong sequence, ulong lastOfSubject)
    {
        stream.LastMessageId.Set(message.MessageId);
        if (!message.MessageId.IsEmpty)
        {
            var wasEmpty = stream.Duplicates.Count == 0;
            stream.Duplicates.Add(message.MessageId, sequence, stream.Services.Clock.Now);
            if (wasEmpty) stream.OnExpiryChanged();
        }
        StreamRollup.Apply(stream.Store, message.Subject, message.Rollup, sequence);
        if (message.HasSchedule && stream.Store.Fault is null)
        {
            stream.Schedules.OnStored(message.Subject, message.Headers, sequence);
            stream.OnExpiryChanged();
        }
        else if (message is { HasSchedule: false, IsSkipped: false })
        {
            stream.Schedules.End(message.Subject);
        }
        if (message.EndsSchedule) StreamSchedules.PurgeFired(stream, message.Headers, sequence);
        if (stream.Store.Fault is not null) return StoreFailed(stream.Store);
        if (stream.RepublishTransform is { } transform && !message.IsSkipped) Republisher.Add(stream, transform, message.Subject, message.Headers, message.Payload, sequence, lastOfSubject);
        return null;
    }

    /// <summary>Only appends a message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ApiError? TryAppend(
        ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, uint seconds, long now, out ulong sequence)
    {
        var store = stream.Store;
        sequence = 0;
        if (stream.Storage.FindLimitProblem(stream.Config.Storage, store.ReportedBytes(subject.Length, headers.Length, payload.Length)) is { } limit) return limit;
        var timestamp = Math.Max(now, store.LastTimestamp);
        var wasEmpty = store.Messages == 0;
        switch (store.Append(subject, headers, payload, timestamp, seconds, out sequence))
        {
            case StoreStatus.Ok:
                if (seconds != 0 || wasEmpty) stream.OnExpiryChanged();
                return null;
            case StoreStatus.TooLarge:
                return TooLarge();
            case StoreStatus.Exhausted:
                return ApiErrors.StreamStoreFailedF.With("err", "the stream has used its last sequence");
            default:
                return StoreFailed(store);
        }
    }

    /// <summary>The error for a message that is too large for any store.</summary>
    public static ApiError TooLarge() => ApiErrors.StreamStoreFailedF.With("err", "message to large");

    /// <summary>The error for a message that the store rejected.</summary>
    public static ApiError StoreFailed(MessageStore store) => ApiErrors.StreamStoreFailedF.With("err", store.Fault?.Reason ?? "the store refused the message");

    private bool TryFindDuplicate(in PublishHeaders found, ref PublishResult result)
    {
        if (found.MessageId.IsEmpty || !stream.Duplicates.TryFind(found.MessageId, stream.Services.Clock.Now, out var known)) return false;
        result = new PublishResult(known, "", IsDuplicate: true);
        return true;
    }

    private ApiError? Store(in PreparedMessage message, out ulong sequence)
    {
        sequence = 0;
        if (!message.IsSkipped && DiscardNewValidator.Validate(stream.Config, stream.Store, message.Subject, message.Headers, message.Payload) is { } full) return full;
        return Append(in message, out sequence, out var lastOfSubject) ?? Complete(in message, sequence, lastOfSubject);
    }

    private static byte[] WithTimeToLive(ReadOnlySpan<byte> headers, uint seconds)
        => MessageHeaders.With(
            MessageHeaders.Without(headers, "Nats-TTL"u8), "Nats-TTL"u8, Encoding.ASCII.GetBytes(seconds.ToString(CultureInfo.InvariantCulture)));
}
