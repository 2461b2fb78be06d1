// Hot path: Router -> this -> MessageStore.Append, StreamBatch. Allocations: none for messages without JetStream headers.
using System.Globalization;
using System.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Storage;
using Postrider.Broker.Subjects;
using Postrider.Wire.Sockets;

namespace Postrider.Broker.Streams;

/// <summary>Takes the messages published on a stream's subjects.</summary>
internal sealed class StreamIntake(MessageStream stream) : IMessageHandler
{
    private const int MaxHeaderBytes = ushort.MaxValue;

    // One per batch of the broker; grown under the stream's lock, read without it.
    private StreamBatch?[] _batches = [];
    private SubjectTransform? _transform;
    private SubjectTransform? _republish;
    private bool _isPlain;

    /// <summary>Takes over a configuration. The stream's lock is held.</summary>
    public void Apply(StreamConfig config)
    {
        _transform = config.SubjectTransform is { } transform ? SubjectTransform.Create(transform.Source, transform.Destination) : null;
        _republish = config.Republish is { } republish ? SubjectTransform.Create(republish.Source ?? ">", republish.Destination) : null;
        _isPlain = _transform is null && _republish is null && config is
        {
            Sealed: false, AllowMessageCounter: false, Retention: not RetentionPolicy.Interest, Discard: DiscardPolicy.Old, NoAck: false,
        };
    }

    /// <summary>The part of a batch that concerns this stream.</summary>
    public StreamBatch BatchOf(SendBatch batch)
    {
        var batches = _batches;
        return batch.Index < batches.Length && batches[batch.Index] is { } known ? known : MakeBatch(batch);
    }

    /// <inheritdoc/>
    public void Handle(
        IPublisher? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch)
    {
        var mine = BatchOf(batch);
        var found = headers.IsEmpty ? default : PublishHeaders.Read(headers);
        lock (stream.Gate)
        {
            if (stream.IsClosed) return;
            mine.Join(batch);
            if (_isPlain && !found.Any) Store(mine, subject, replyTo, headers, payload);
            else Check(mine, subject, stream.Config.NoAck ? [] : replyTo, headers, payload, in found);
        }
    }

    private void Store(StreamBatch mine, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        if (FindSizeProblem(headers, payload) is { } problem)
        {
            mine.Answer(replyTo, stream.RenderError(problem));
            return;
        }
        if (TryAppend(subject, headers, payload, 0, out var sequence) is { } error)
        {
            mine.Answer(replyTo, stream.RenderError(error));
            return;
        }
        stream.LastMessageId = "";
        mine.Acknowledge(replyTo, sequence);
    }

    private void Check(
        StreamBatch mine,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        in PublishHeaders found)
    {
        byte[]? transformed = _transform?.Apply(subject);
        var stored = transformed ?? subject;
        var now = stream.Account.Engine.Clock.Now;
        var messageId = found.MessageId.IsEmpty ? "" : Encoding.UTF8.GetString(found.MessageId);
        if (PublishChecks.FirstProblem(stream, stored, headers, payload, in found) is { } problem)
        {
            mine.Answer(replyTo, stream.RenderError(problem));
            return;
        }
        if (messageId.Length > 0 && stream.Duplicates.TryFind(messageId, now, out var known))
        {
            mine.Answer(replyTo, [.. stream.AckPrefix, .. Encoding.UTF8.GetBytes(known.ToString(CultureInfo.InvariantCulture)), .. ",\"duplicate\": true}"u8]);
            return;
        }
        if (PublishChecks.FirstLateProblem(stream, in found, out var rollup) is { } late)
        {
            mine.Answer(replyTo, stream.RenderError(late));
            return;
        }
        StoreChecked(mine, stored, replyTo, headers, payload, in found, messageId, rollup);
    }

    private void StoreChecked(
        StreamBatch mine,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        in PublishHeaders found,
        string messageId,
        RollupKind rollup)
    {
        var config = stream.Config;
        ulong sequence;
        if (config.Retention == RetentionPolicy.Interest && !StreamInterest.IsWanted(stream, subject))
        {
            sequence = stream.Store.NextSequence;
            stream.Store.SkipTo(sequence);
            Remember(messageId, sequence);
            StreamRollup.Apply(stream, subject, rollup, keep: 0);
            mine.Acknowledge(replyTo, sequence);
            return;
        }
        if (!TimeToLive.TryParse(found.TimeToLive, out var seconds))
        {
            mine.Answer(replyTo, stream.RenderError(ApiErrors.MessageTTLInvalid));
            return;
        }
        if (DiscardNew.FirstProblem(stream, subject, headers, payload) is { } full)
        {
            mine.Answer(replyTo, stream.RenderError(full));
            return;
        }
        var before = _republish is null ? 0 : stream.Store.Queries.TryGetSubject(subject, out var state) ? state.Last : 0;
        if (TryAppend(subject, headers, payload, seconds, out sequence) is { } error)
        {
            mine.Answer(replyTo, stream.RenderError(error));
            return;
        }
        Remember(messageId, sequence);
        StreamRollup.Apply(stream, subject, rollup, keep: 1);
        if (_republish is not null) Republisher.Add(stream, _republish, subject, headers, payload, sequence, before);
        mine.Acknowledge(replyTo, sequence);
    }

    private ApiError? TryAppend(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, uint seconds, out ulong sequence)
    {
        var store = stream.Store;
        sequence = 0;
        if (stream.Account.FindLimitProblem(stream.Config.Storage, store.ReportedBytes(subject.Length, headers.Length, payload.Length)) is { } limit) return limit;
        var timestamp = Math.Max(stream.Account.Engine.Clock.Now, store.LastTimestamp);
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

    private ApiError? FindSizeProblem(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        var most = stream.Config.MaxMessageBytes;
        if (most >= 0 && headers.Length + (long)payload.Length > most) return ApiErrors.StreamMessageExceedsMaximum;
        return headers.Length > MaxHeaderBytes ? ApiErrors.StreamHeaderExceedsMaximum : null;
    }

    private void Remember(string messageId, ulong sequence)
    {
        stream.LastMessageId = messageId;
        if (messageId.Length > 0) stream.Duplicates.Add(messageId, sequence, stream.Account.Engine.Clock.Now);
    }

    private StreamBatch MakeBatch(SendBatch batch)
    {
        lock (stream.Gate)
        {
            var batches = _batches;
            if (batch.Index >= batches.Length) Array.Resize(ref batches, Math.Max(batch.Index + 1, batch.Set.Count));
            var made = batches[batch.Index] ??= new StreamBatch(stream);
            Volatile.Write(ref _batches, batches);
            return made;
        }
    }
}
