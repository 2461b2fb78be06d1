using System.Globalization;
using System.Text;
using System.Text.Json;
using Postrider.Broker.JetStream.Advisories;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>The open atomic batches of a stream. The stream's lock is held.</summary>
/// <remarks>
/// Messages wait in memory until their batch is committed: before that, nothing of a batch is in the store. A batch whose write
/// was interrupted by a kill is cut off at the next start: its last message lacks the commit header.
/// Source: nats-server, atomic batch publish (NATS ADR-50).
/// </remarks>
internal sealed class AtomicBatches(StreamCore stream)
{
    private const int MaxIdBytes = 64;

    private readonly Dictionary<string, AtomicBatch> _open = new(StringComparer.Ordinal);
    private readonly StreamAppender _store = new(stream);

    private JetStreamOptions Options => stream.Services.Options;

    /// <summary>Adds a message to a batch.</summary>
    public void Add(
        PubAckBatch mine,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        in PublishHeaders found)
    {
        var id = ByteKey.Of(found.BatchId);
        if (FindProblem(subject, headers, payload, in found, id) is { } problem)
        {
            mine.Answer(replyTo, stream.RenderError(problem));
            return;
        }
        var sequence = PublishHeaders.Number(found.BatchSequence);
        var endsWithMarker = found.BatchCommit.SequenceEqual("eob"u8);
        var commits = found.HasBatchCommit;
        var batch = _open[id];
        batch.Deadline = Clock.Add(stream.Services.Clock.Now, Clock.Of(Options.BatchTimeout));
        if (!endsWithMarker && !TryKeep(batch, subject, MessageHeaders.Without(headers, "Nats-Required-Api-Level"u8), payload))
        {
            Abandon(id, "large");
            mine.Answer(replyTo, stream.RenderError(ApiErrors.AtomicPublishTooManyInflight));
            return;
        }
        if (!commits)
        {
            stream.OnExpiryChanged();
            mine.Answer(replyTo, []);
            return;
        }
        ulong last = 0;
        var refused = AtomicPublishValidator.Validate(stream, _store, batch, endsWithMarker, out var prepared)
            ?? Commit(batch, prepared, out last);
        Close(id);
        if (refused is not null)
        {
            mine.Answer(replyTo, stream.RenderError(refused));
            return;
        }
        var count = endsWithMarker ? sequence - 1 : sequence;
        mine.Acknowledge(replyTo, last, BatchAck.Render(stream, last, id, count));
    }

    /// <summary>Drops all batches: the stream ends, or accepts no more messages.</summary>
    public void Clear()
    {
        foreach (var id in _open.Keys.ToArray()) Close(id);
    }

    /// <summary>Abandons the batches that have waited too long for their next message.</summary>
    /// <returns>The deadline of the next batch in nanoseconds since 1970; <see cref="long.MaxValue"/> when there is none.</returns>
    public long AbandonExpired(long now)
    {
        foreach (var (id, _) in _open.Where(pair => pair.Value.Deadline <= now).ToArray()) Abandon(id, "timeout");
        return _open.Count == 0 ? long.MaxValue : _open.Values.Min(static batch => batch.Deadline);
    }

    private ApiError? FindProblem(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, in PublishHeaders found, string id)
    {
        var config = stream.Config;
        if (PublishValidator.ValidateOfBatch(stream, subject, headers, payload) is { } refused) return refused;
        if (!config.AllowAtomicPublish) return ApiErrors.AtomicPublishDisabled;
        if (found.BatchId.Length > MaxIdBytes) return ApiErrors.AtomicPublishInvalidBatchID;
        var sequence = found.BatchSequence.IsEmpty ? ulong.MaxValue : PublishHeaders.Number(found.BatchSequence);
        if (sequence == ulong.MaxValue) return ApiErrors.AtomicPublishMissingSeq;
        var endsWithMarker = found.BatchCommit.SequenceEqual("eob"u8);
        var size = endsWithMarker ? sequence - 1 : sequence;
        var tooLarge = size > (ulong)Options.MaxBatchMessages;
        if (!_open.TryGetValue(id, out var batch))
        {
            if (sequence != 1) return tooLarge ? TooLarge() : ApiErrors.AtomicPublishIncompleteBatch;
            if (_open.Count >= Options.MaxBatchesPerStream || !stream.Services.OpenBatches.TryOpen(Options.MaxBatches))
                return ApiErrors.AtomicPublishTooManyInflight;
            _open[id] = batch = new AtomicBatch();
        }
        if (found.HasBatchCommit && !endsWithMarker && !found.BatchCommit.SequenceEqual("1"u8))
        {
            Close(id);
            return ApiErrors.AtomicPublishInvalidBatchCommit;
        }
        if (!ApiLevel.IsSupported(headers))
        {
            Abandon(id, "unsupported");
            return ApiErrors.RequiredApiLevel;
        }
        if (sequence != (ulong)batch.Count + 1 || (sequence == 1 && endsWithMarker))
        {
            Abandon(id, "incomplete");
            return ApiErrors.AtomicPublishIncompleteBatch;
        }
        if (!tooLarge) return null;
        Abandon(id, "large");
        return TooLarge();
    }

    private bool TryKeep(AtomicBatch batch, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        var open = stream.Services.OpenBatches;
        var growth = batch.GrowthFor(subject.Length + headers.Length + payload.Length);
        if (!open.TryTake(growth, Options.MaxBatchBytes)) return false;
        if (batch.TryAdd(subject, headers, payload)) return true;
        _ = open.TryTake(-growth, long.MaxValue);
        return false;
    }

    // Nothing is removed from the stream before the last message is stored: a store that rejects one is rolled back to its last commit.
    private ApiError? Commit(AtomicBatch batch, AtomicMessage[] prepared, out ulong last)
    {
        var sequences = new (ulong Sequence, ulong LastOfSubject)[prepared.Length];
        var retention = stream.Store.Retention;
        last = 0;
        retention.IsSuspended = true;
        try
        {
            for (var i = 0; i < prepared.Length; i++)
            {
                var message = Read(batch, prepared, i);
                if (_store.Append(in message, out sequences[i].Sequence, out sequences[i].LastOfSubject) is { } problem) return problem;
            }
        }
        finally
        {
            retention.IsSuspended = false;
        }
        for (var i = 0; i < prepared.Length; i++)
        {
            var message = Read(batch, prepared, i);
            if (_store.Complete(in message, sequences[i].Sequence, sequences[i].LastOfSubject) is { } problem) return problem;
        }
        for (var i = 0; i < prepared.Length; i++) retention.EnforceSubject(Read(batch, prepared, i).Subject);
        retention.EnforceTotals();
        last = sequences[^1].Sequence;
        return stream.Store.Fault is null ? null : StreamAppender.StoreFailed(stream.Store);
    }

    private static PreparedMessage Read(AtomicBatch batch, AtomicMessage[] prepared, int index)
    {
        batch.Read(index, out var subject, out var headers, out var payload);
        return prepared[index].With(subject, headers, payload);
    }

    private ApiError TooLarge() => ApiErrors.AtomicPublishTooLargeBatch.With("size", Options.MaxBatchMessages.ToString(CultureInfo.InvariantCulture));

    private void Close(string id)
    {
        if (!_open.Remove(id, out var batch)) return;
        stream.Services.OpenBatches.Close(batch.Bytes);
        batch.Dispose();
    }

    private void Abandon(string id, string reason)
    {
        Close(id);
        AdvisoryPublisher.Add(
            stream.Outgoing,
            stream.Services,
            $"{AdvisoryPublisher.Prefix}STREAM.BATCH_ABANDONED.{stream.Name}",
            new BatchAbandonedAdvisory
            {
                Type = "io.nats.jetstream.advisory.v1.stream_batch_abandoned",
                Stream = stream.Name,
                Domain = stream.Services.Options.Domain,
                Batch = ByteKey.TextOf(id),
                Reason = reason,
            },
            StreamJson.Default.BatchAbandonedAdvisory);
    }
}
