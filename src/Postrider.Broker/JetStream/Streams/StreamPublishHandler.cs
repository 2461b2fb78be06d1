// Hot path: Router -> this -> MessageStore.Append, PubAckBatch. Allocations: none for messages without JetStream headers.
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Broker.Tracing;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Stores the messages published on a stream's subjects.</summary>
internal sealed class StreamPublishHandler(MessageStream stream) : ITracedSubscriber
{
    private const int MaxHeaderBytes = ushort.MaxValue;

    private readonly StreamAppender _store = new(stream);
    private readonly AtomicBatches _atomicBatches = new(stream);
    private readonly FastBatches _fastBatches = new(stream);

    // One per batch of the broker; grown under the stream's lock, read without it.
    private PubAckBatch?[] _batches = [];
    private bool _isPlain;

    /// <summary>Applies a configuration. The stream's lock is held.</summary>
    public void Apply(StreamConfig config)
    {
        stream.InputTransform = config.SubjectTransform is { } transform ? SubjectTransform.Create(transform.Source, transform.Destination) : null;
        stream.RepublishTransform = config.Republish is { } republish ? SubjectTransform.Create(republish.Source ?? ">", republish.Destination) : null;
        if (!config.AllowAtomicPublish) _atomicBatches.Clear();
        if (!config.AllowBatchPublish) _fastBatches.Clear();
        _isPlain = stream.InputTransform is null && stream.RepublishTransform is null && config is
        {
            Sealed: false, AllowMessageCounter: false, Retention: not StreamRetention.Interest, Discard: DiscardPolicy.Old, NoAck: false,
        };
    }

    /// <summary>Abandons batches that have waited too long. The stream's lock is held.</summary>
    public long AbandonExpiredBatches(long now) => Math.Min(_atomicBatches.AbandonExpired(now), _fastBatches.AbandonExpired(now));

    /// <summary>Drops all batches. The stream's lock is held.</summary>
    public void DropBatches()
    {
        _atomicBatches.Clear();
        _fastBatches.Clear();
    }

    /// <summary>The acknowledgements of this stream in a batch.</summary>
    public PubAckBatch BatchOf(SendBatch batch)
    {
        var batches = _batches;
        return batch.Index < batches.Length && batches[batch.Index] is { } known ? known : MakeBatch(batch);
    }

    /// <inheritdoc/>
    public void Handle(
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch)
    {
        var mine = BatchOf(batch);
        headers = MessageHeaders.WithoutStatus(headers);
        if (!headers.IsEmpty)
        {
            HandleWithHeaders(mine, subject, replyTo, headers, payload, batch);
            return;
        }
        stream.EnterWithPriority(batch);
        try
        {
            if (stream.IsClosed) return;
            mine.Join(batch);
            if (_isPlain && !FastBatch.Matches(replyTo)) Store(mine, subject, replyTo, [], payload);
            else CheckWithoutHeaders(mine, subject, replyTo, payload);
        }
        finally
        {
            stream.Gate.Exit();
        }
    }

    /// <inheritdoc/>
    public void HandleTraced(
        MessageTrace trace,
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch)
    {
        var step = trace.AddJetStream(stream.Name);
        headers = MessageHeaders.WithoutStatus(headers);
        if (!trace.IsOnly) headers = TraceRequest.DisableStored(headers);
        var mine = BatchOf(batch);
        if (PublishHeaders.Read(headers).HasRequestInfo) headers = MessageHeaders.Without(headers, "Nats-Request-Info"u8);
        var found = PublishHeaders.Read(headers);
        stream.EnterWithPriority(batch);
        try
        {
            if (stream.IsClosed) return;
            mine.Join(batch);
            var stored = stream.InputTransform?.Apply(subject) is { } transformed ? transformed : subject;
            step.HasNoInterest = stream.Config.Retention == StreamRetention.Interest && !InterestRetention.IsWanted(stream, stored);
            var (problem, isDuplicate) = trace.IsOnly
                ? Examine(mine, stored, stream.Config.NoAck ? [] : replyTo, headers, payload, in found)
                : Check(mine, subject, replyTo, headers, payload, in found);
            step.Error = isDuplicate ? "msgid is duplicate" : problem is null ? null : StreamTraceErrors.TextOf(problem, stream, stored, in found);
            if (step.Error is null) step.StoredSubject = Encoding.UTF8.GetString(stored);
            else step.HasNoInterest = false;
        }
        finally
        {
            stream.Gate.Exit();
        }
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
    {
        StreamLog.PublishFailed(stream.Services.Logger, stream.Services.AccountName, stream.Name, error);
        if (!replyTo.IsEmpty) InternalPublisher.Publish(stream.Services.Subscriptions, replyTo, stream.RenderError(ApiErrors.StreamStoreFailedF.With("err", "internal error")), batch);
    }

    private void HandleWithHeaders(
        PubAckBatch mine, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        var found = PublishHeaders.Read(headers);
        if (found.HasRequestInfo) headers = MessageHeaders.Without(headers, "Nats-Request-Info"u8);
        stream.EnterWithPriority(batch);
        try
        {
            if (stream.IsClosed) return;
            mine.Join(batch);
            if (_isPlain && !found.Any && !FastBatch.Matches(replyTo)) Store(mine, subject, replyTo, headers, payload);
            else Check(mine, subject, replyTo, headers, payload, in found);
        }
        finally
        {
            stream.Gate.Exit();
        }
    }

    private void CheckWithoutHeaders(PubAckBatch mine, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> payload)
    {
        PublishHeaders none = default;
        Check(mine, subject, replyTo, [], payload, in none);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Store(PubAckBatch mine, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        ulong sequence = 0;
        if ((FindSizeProblem(headers, payload) ?? _store.TryAppend(subject, headers, payload, 0, mine.Now, out sequence)) is { } problem)
        {
            mine.Answer(replyTo, stream.RenderError(problem));
            return;
        }
        stream.LastMessageId.Set([]);
        stream.Schedules.End(subject);
        mine.Acknowledge(replyTo, sequence);
    }

    // The result that a message would have; problems are answered as if it had arrived.
    private (ApiError? Problem, bool IsDuplicate) Examine(
        PubAckBatch mine, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, in PublishHeaders found)
    {
        var problem = _store.Examine(subject, headers, payload, in found, out var isDuplicate);
        if (problem is not null) mine.Answer(replyTo, stream.RenderError(problem));
        return (problem, isDuplicate);
    }

    // Messages of batches are rejected later, if at all: they have no problem here.
    private (ApiError? Problem, bool IsDuplicate) Check(
        PubAckBatch mine,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        in PublishHeaders found)
    {
        if (FastBatch.Matches(replyTo))
        {
            _fastBatches.Add(mine, subject, replyTo, headers, payload, in found);
            return default;
        }
        if (stream.Config.NoAck) replyTo = [];
        if (!found.BatchId.IsEmpty)
        {
            _atomicBatches.Add(mine, subject, replyTo, headers, payload, in found);
            return default;
        }
        byte[]? transformed = stream.InputTransform?.Apply(subject);
        if (_store.TryPublish(transformed ?? subject, headers, payload, in found, out var result) is { } problem)
        {
            mine.Answer(replyTo, stream.RenderError(problem));
            return (problem, false);
        }
        var (sequence, sum, isDuplicate) = result;
        if (isDuplicate)
        {
            // The duplicated message may not be committed yet.
            mine.Acknowledge(replyTo, sequence, [.. stream.AckPrefix, .. Encoding.UTF8.GetBytes(sequence.ToString(CultureInfo.InvariantCulture)), .. ",\"duplicate\": true}"u8]);
            return (null, true);
        }
        if (sum.Length == 0) mine.Acknowledge(replyTo, sequence);
        else mine.Acknowledge(replyTo, sequence, Encoding.UTF8.GetBytes($"{Encoding.UTF8.GetString(stream.AckPrefix)}{sequence},\"val\":\"{sum}\"}}"));
        return default;
    }

    private ApiError? FindSizeProblem(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        if (!stream.Config.Fits(headers, payload)) return ApiErrors.StreamMessageExceedsMaximum;
        return headers.Length > MaxHeaderBytes ? ApiErrors.StreamHeaderExceedsMaximum : null;
    }

    private PubAckBatch MakeBatch(SendBatch batch)
    {
        using (stream.Gate.Hold())
        {
            var batches = _batches;
            if (batch.Index >= batches.Length) Array.Resize(ref batches, Math.Max(batch.Index + 1, batch.Set.Count));
            var made = batches[batch.Index] ??= new PubAckBatch(stream);
            Volatile.Write(ref _batches, batches);
            return made;
        }
    }
}
