using System.Globalization;
using System.Text;
using System.Text.Json;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Fast batches: messages are stored one by one, and an acknowledgement covers several. The stream's lock is held.</summary>
/// <remarks>A stream without acknowledgements answers as nats-server does: it acknowledges the flow and the end of a batch, and it does not answer
/// messages that belong to no open batch. Source: NATS ADR-50; nats-server, observed.</remarks>
internal sealed class FastBatches(StreamCore stream)
{
    private const int MaxIdBytes = 64;
    private const int MaxFlow = 500;

    private readonly StreamAppender _store = new(stream);
    private readonly Dictionary<string, OpenFastBatch> _open = new(StringComparer.Ordinal);

    private JetStreamOptions Options => stream.Services.Options;

    /// <summary>Handles a message whose reply subject belongs to a fast batch.</summary>
    public void Add(PubAckBatch mine, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, in PublishHeaders found)
    {
        if (!TryFind(mine, subject, replyTo, headers, payload, out var message, out var id)) return;
        var batch = _open[id];
        if (batch.Rollbacks != stream.Effects.Rollbacks)
        {
            // Messages that the publisher may assume to be stored are lost.
            Close(id);
            mine.Answer(replyTo, stream.RenderError(StreamAppender.StoreFailed(stream.Store)));
            return;
        }
        batch.Deadline = Clock.Add(stream.Services.Clock.Now, Clock.Of(Options.BatchTimeout));
        stream.OnExpiryChanged();
        if (message.Operation == FastBatchOperation.Ping)
        {
            Ping(mine, replyTo, in message, id, batch);
            return;
        }
        if (!IsInOrder(mine, replyTo, in message, batch))
        {
            Commit(mine, replyTo, id, batch);
            return;
        }
        if (message.Operation == FastBatchOperation.CommitWithoutMessage)
        {
            batch.Last--;
            Commit(mine, replyTo, id, batch);
            return;
        }
        // Nothing is stored yet: this tells the publisher how often it will receive acknowledgements.
        if (message.Sequence == 1 && !message.Commits && !stream.Config.NoAck) mine.Answer(replyTo, Flow(0, batch.Flow));
        Store(mine, subject, replyTo, headers.IsEmpty ? headers : MessageHeaders.Without(headers, "Nats-Required-Api-Level"u8), payload, in found, in message, id, batch);
    }

    /// <summary>Drops all batches: the stream ends, or accepts no more messages of them.</summary>
    public void Clear()
    {
        foreach (var id in _open.Keys.ToArray()) Close(id);
    }

    /// <summary>Abandons the batches that have waited too long for their next message.</summary>
    /// <returns>The deadline of the next batch in nanoseconds since 1970; <see cref="long.MaxValue"/> when there is none.</returns>
    public long AbandonExpired(long now)
    {
        if (_open.Count == 0) return long.MaxValue;
        foreach (var (id, _) in _open.Where(pair => pair.Value.Deadline <= now).ToArray()) Close(id);
        return _open.Count == 0 ? long.MaxValue : _open.Values.Min(static batch => batch.Deadline);
    }

    private bool TryFind(
        PubAckBatch mine, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, out FastBatch message, out string id)
    {
        id = "";
        message = default;
        if (FindProblem(subject, replyTo, headers, payload, ref message, ref id) is not { } problem) return true;
        if (!stream.Config.NoAck) mine.Answer(replyTo, stream.RenderError(problem));
        return false;
    }

    private ApiError? FindProblem(
        ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, ref FastBatch message, ref string id)
    {
        var config = stream.Config;
        if (PublishValidator.ValidateOfBatch(stream, subject, headers, payload) is { } refused) return refused;
        if (!config.AllowBatchPublish) return ApiErrors.BatchPublishDisabled;
        if (!FastBatch.TryParse(replyTo, out message)) return ApiErrors.BatchPublishInvalidPattern;
        if (message.Id.Length > MaxIdBytes) return ApiErrors.BatchPublishInvalidBatchID;
        id = ByteKey.Of(message.Id);
        if (!_open.ContainsKey(id))
        {
            if (message.Sequence != 1 || message.Operation == FastBatchOperation.Ping) return ApiErrors.BatchPublishUnknownBatchID;
            if (_open.Count >= Options.MaxFastBatchesPerStream || !stream.Services.OpenFastBatches.TryOpen(Options.MaxFastBatches)) return ApiErrors.BatchPublishTooManyInflight;
            var isOnly = _open.Count == 0;
            _open[id] = new OpenFastBatch(message.AllowsGaps, message.Flow, isOnly ? Math.Min((ushort)MaxFlow, message.Flow) : (ushort)1, stream.Effects.Rollbacks);
        }
        if (ApiLevel.IsSupported(headers)) return null;
        Close(id);
        return ApiErrors.RequiredApiLevel;
    }

    private void Ping(PubAckBatch mine, ReadOnlySpan<byte> replyTo, in FastBatch message, string id, OpenFastBatch batch)
    {
        if (message.Sequence > batch.Last)
        {
            mine.Answer(replyTo, Gap(batch.Last + 1, message.Sequence + 1));
            if (!batch.AllowsGaps)
            {
                Commit(mine, replyTo, id, batch);
                return;
            }
            batch.Last = message.Sequence;
            if (TryAcknowledge(mine, replyTo, batch)) return;
        }
        Acknowledge(mine, replyTo, batch);
    }

    // Whether the message is the next one; any other ends the batch, unless gaps are allowed.
    private static bool IsInOrder(PubAckBatch mine, ReadOnlySpan<byte> replyTo, in FastBatch message, OpenFastBatch batch)
    {
        var expected = batch.Last + 1;
        if (message.Sequence > expected) mine.Answer(replyTo, Gap(expected, message.Sequence));
        if (message.Sequence != expected && !(batch.AllowsGaps && message.Sequence > expected)) return false;
        batch.Last = message.Sequence;
        return true;
    }

    private void Store(
        PubAckBatch mine,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        in PublishHeaders found,
        in FastBatch message,
        string id,
        OpenFastBatch batch)
    {
        byte[]? transformed = stream.InputTransform?.Apply(subject);
        var problem = _store.TryPublishOfBatch(transformed ?? subject, headers, payload, in found, out var result);
        if (problem is null && !result.IsDuplicate)
        {
            batch.LastStored = result.Sequence;
            if (message.Commits) Commit(mine, replyTo, id, batch);
            else _ = TryAcknowledge(mine, replyTo, batch);
            return;
        }
        if (result.IsDuplicate)
        {
            _ = TryAcknowledge(mine, replyTo, batch);
            if (!message.Commits) return;
        }
        if (!batch.AllowsGaps && batch.Last == 1)
        {
            // As for a message outside of a batch.
            Close(id);
            if (problem is not null) mine.Answer(replyTo, stream.RenderError(problem));
            else mine.Acknowledge(replyTo, result.Sequence, BatchAck.Render(stream, result.Sequence, id, message.Sequence, isDuplicate: true));
            return;
        }
        if (problem is not null)
        {
            mine.Answer(replyTo, Failure(message.Sequence, problem));
            if (batch.AllowsGaps && !message.Commits) return;
            batch.Last--;
        }
        Commit(mine, replyTo, id, batch);
    }

    // Ends the batch: the stored messages are acknowledged once they are committed.
    private void Commit(PubAckBatch mine, ReadOnlySpan<byte> replyTo, string id, OpenFastBatch batch)
    {
        Close(id);
        mine.Acknowledge(replyTo, batch.LastStored, BatchAck.Render(stream, batch.LastStored, id, batch.Last));
    }

    private bool TryAcknowledge(PubAckBatch mine, ReadOnlySpan<byte> replyTo, OpenFastBatch batch)
    {
        if (batch.Last < batch.Acknowledged + batch.Flow) return false;
        batch.Acknowledged += (batch.Last - batch.Acknowledged) / batch.Flow * batch.Flow;
        // Publishers share the flow that one alone would have; each approaches its share step by step.
        var share = Math.Min(Math.Max(MaxFlow / _open.Count, 1), batch.MaxFlow);
        batch.Flow = (ushort)(batch.Flow < share ? Math.Min(batch.Flow * 2, share) : Math.Max(batch.Flow / 2, share));
        Acknowledge(mine, replyTo, batch);
        return true;
    }

    private static void Acknowledge(PubAckBatch mine, ReadOnlySpan<byte> replyTo, OpenFastBatch batch)
        => mine.Acknowledge(replyTo, batch.LastStored, Flow(batch.Acknowledged, batch.Flow));

    private static byte[] Flow(ulong sequence, ushort messages)
        => Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{{\"type\":\"ack\",\"seq\":{sequence},\"msgs\":{messages}}}"));

    private static byte[] Gap(ulong expected, ulong sequence)
        => Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{{\"type\":\"gap\",\"last_seq\":{expected},\"seq\":{sequence}}}"));

    private static byte[] Failure(ulong sequence, ApiError problem)
        => Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{{\"type\":\"err\",\"seq\":{sequence},\"error\":{JsonSerializer.Serialize(problem, StreamJson.Default.ApiError)}}}"));

    private void Close(string id)
    {
        if (_open.Remove(id)) stream.Services.OpenFastBatches.Close(0);
    }

    private sealed class OpenFastBatch(bool allowsGaps, ushort maxFlow, ushort flow, long rollbacks)
    {
        public bool AllowsGaps { get; } = allowsGaps;

        public ushort MaxFlow { get; } = maxFlow;

        public long Rollbacks { get; } = rollbacks;

        // The number of messages per acknowledgement.
        public ushort Flow { get; set; } = flow;

        // The last message received.
        public ulong Last { get; set; }

        // The last message acknowledged.
        public ulong Acknowledged { get; set; }

        // The stream's sequence of the last message stored; 0 for none.
        public ulong LastStored { get; set; }

        public long Deadline { get; set; }
    }
}
