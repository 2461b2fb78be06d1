using System.Globalization;
using System.Text;

namespace Postrider.Broker.Streams;

/// <summary>Batches of messages that are stored all together or not at all. The stream's lock is held.</summary>
/// <remarks>
/// Messages wait in memory until their batch is committed: nothing of a batch is in the store before. A batch whose write
/// was torn by a kill is cut off at the next start: its last message lacks the commit header.
/// Source: nats-server, atomic batch publish (NATS ADR-50).
/// </remarks>
internal sealed class AtomicPublish(MessageStream stream)
{
    private const int MaxIdBytes = 64;

    private readonly Dictionary<string, AtomicBatch> _open = new(StringComparer.Ordinal);
    private readonly PublishStore _store = new(stream);

    private JetStreamOptions Options => stream.Account.Engine.Options;

    /// <summary>Takes a message of a batch.</summary>
    public void Take(
        StreamBatch mine,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        in PublishHeaders found)
    {
        var id = Encoding.UTF8.GetString(found.BatchId);
        if (FindProblem(subject, headers, payload, in found, id) is { } problem)
        {
            mine.Answer(replyTo, stream.RenderError(problem));
            return;
        }
        var sequence = PublishHeaders.Number(found.BatchSequence);
        var endsWithMarker = found.BatchCommit.SequenceEqual("eob"u8);
        var commits = !found.BatchCommit.IsEmpty;
        var batch = _open[id];
        batch.Deadline = stream.Account.Engine.Clock.Now + Clock.Of(Options.BatchTimeout);
        if (!endsWithMarker) batch.Add(subject, MessageHeaders.Without(headers, "Nats-Required-Api-Level"u8), payload);
        if (!commits)
        {
            stream.ExpiryChanged();
            mine.Answer(replyTo, []);
            return;
        }
        Close(id);
        var count = endsWithMarker ? sequence - 1 : sequence;
        ulong last = 0;
        if ((AtomicChecks.FirstProblem(stream, batch) ?? Commit(batch, endsWithMarker, out last)) is { } refused)
        {
            mine.Answer(replyTo, stream.RenderError(refused));
            return;
        }
        var text = string.Create(CultureInfo.InvariantCulture, $"{Encoding.UTF8.GetString(stream.AckPrefix)}{last},\"batch\":{GoQuote.Quote(id)},\"count\":{count}}}");
        mine.Acknowledge(replyTo, last, Encoding.UTF8.GetBytes(text));
    }

    /// <summary>Gives batches up that waited too long for their next message.</summary>
    /// <returns>When the next one is to be given up, nanoseconds since 1970; <see cref="long.MaxValue"/> when there is none.</returns>
    public long GiveUp(long now)
    {
        foreach (var (id, _) in _open.Where(pair => pair.Value.Deadline <= now).ToArray()) Abandon(id, "timeout");
        return _open.Count == 0 ? long.MaxValue : _open.Values.Min(static batch => batch.Deadline);
    }

    private ApiError? FindProblem(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, in PublishHeaders found, string id)
    {
        var config = stream.Config;
        if (config.Sealed) return ApiErrors.StreamSealed;
        if (stream.Account.FindLimitProblem(config.Storage, stream.Store.ReportedBytes(subject.Length, headers.Length, payload.Length)) is { } limit) return limit;
        if (config.MaxMessageBytes >= 0 && headers.Length + (long)payload.Length > config.MaxMessageBytes) return ApiErrors.StreamMessageExceedsMaximum;
        if (!config.AllowAtomicPublish) return ApiErrors.AtomicPublishDisabled;
        if (found.BatchId.Length > MaxIdBytes) return ApiErrors.AtomicPublishInvalidBatchID;
        if (found.BatchSequence.IsEmpty) return ApiErrors.AtomicPublishMissingSeq;
        var sequence = PublishHeaders.Number(found.BatchSequence);
        var endsWithMarker = found.BatchCommit.SequenceEqual("eob"u8);
        var size = endsWithMarker ? sequence - 1 : sequence;
        var tooLarge = size > (ulong)Options.MaxBatchMessages;
        if (!_open.TryGetValue(id, out var batch))
        {
            if (sequence != 1) return tooLarge ? TooLarge() : ApiErrors.AtomicPublishIncompleteBatch;
            if (_open.Count >= Options.MaxBatchesPerStream || !stream.Account.Engine.OpenBatches.TryOpen(Options.MaxBatches))
                return ApiErrors.AtomicPublishTooManyInflight;
            _open[id] = batch = new AtomicBatch();
        }
        if (!found.BatchCommit.IsEmpty && !endsWithMarker && !found.BatchCommit.SequenceEqual("1"u8))
        {
            Close(id);
            return ApiErrors.AtomicPublishInvalidBatchCommit;
        }
        if (!ApiLevel.IsSupported(headers))
        {
            Abandon(id, "unsupported");
            return ApiErrors.RequiredApiLevel;
        }
        if (sequence != (ulong)batch.Messages.Count + 1 || (sequence == 1 && endsWithMarker))
        {
            Abandon(id, "incomplete");
            return ApiErrors.AtomicPublishIncompleteBatch;
        }
        if (!tooLarge) return null;
        Abandon(id, "large");
        return TooLarge();
    }

    private ApiError? Commit(AtomicBatch batch, bool endsWithMarker, out ulong last)
    {
        last = 0;
        var before = stream.Store.LastSequence;
        _store.Republish = stream.RepublishTransform;
        for (var i = 0; i < batch.Messages.Count; i++)
        {
            var message = batch.Messages[i];
            var isLast = i == batch.Messages.Count - 1;
            var headers = endsWithMarker && isLast ? MessageHeaders.With(message.Headers, "Nats-Batch-Commit"u8, "1"u8) : message.Headers;
            var found = PublishHeaders.Read(headers);
            var rollup = PublishChecks.ReadRollup(found.Rollup);
            var subject = stream.InputTransform?.Apply(message.Subject) ?? message.Subject;
            if (_store.TryStore(subject, headers, message.Payload, in found, rollup, out last, out _) is not { } problem) continue;
            // All or nothing: what the batch stored so far was shown to nobody.
            _ = stream.Store.Truncate(before);
            return problem;
        }
        return null;
    }

    private ApiError TooLarge() => ApiErrors.AtomicPublishTooLargeBatch.With("size", Options.MaxBatchMessages.ToString(CultureInfo.InvariantCulture));

    private void Close(string id)
    {
        if (_open.Remove(id)) stream.Account.Engine.OpenBatches.Close();
    }

    private void Abandon(string id, string reason)
    {
        Close(id);
        var account = stream.Account;
        Advisories.Add(
            stream.Outgoing,
            account,
            $"{Advisories.Prefix}STREAM.BATCH_ABANDONED.{stream.Name}",
            new BatchAbandonedAdvisory
            {
                Type = "io.nats.jetstream.advisory.v1.stream_batch_abandoned",
                Stream = stream.Name,
                Domain = account.Engine.Options.Domain,
                Batch = id,
                Reason = reason,
            },
            StreamJson.Default.BatchAbandonedAdvisory);
    }
}
