using System.Globalization;
using System.Text;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Api;

/// <summary>The operations on a stream's messages.</summary>
internal static class MessageApi
{
    // Messages removed while the stream's lock is held once: about a millisecond, which is how long publishers wait.
    private const int PurgedPerHold = 5_000;

    /// <summary>Adds the operations.</summary>
    public static void Register(ApiRouter api)
    {
        const string Prefix = "io.nats.jetstream.api.v1.";
        api.MapCommand("STREAM.PURGE.*", Prefix + "stream_purge_response", Purge);
        api.MapInline("STREAM.MSG.GET.*", Prefix + "stream_msg_get_response", Get);
        api.MapCommand("STREAM.MSG.DELETE.*", Prefix + "stream_msg_delete_response", Delete);
    }

    private static void Purge(scoped in ApiRequest request)
    {
        if (!request.TryReadIfJson(StreamConfigJson.Reader(request.Account.Services.Options).PurgeRequest, out var asked)) return;
        var problem = asked is { Sequence: > 0, Keep: > 0 } ? ApiErrors.BadRequest : null;
        if (!request.Account.TryGetStream(request.Token(2), out var stream)) problem ??= ApiErrors.StreamNotFound;
        else if (stream.Config.Sealed) problem ??= ApiErrors.StreamSealed;
        else if (stream.Config.DenyPurge) problem ??= ApiErrors.StreamPurgeFailedF.With("err", "stream purge not permitted");
        if (problem is not null)
        {
            request.Fail(problem, new PurgeReply(), StreamJson.Default.PurgeReply);
            return;
        }
        var purged = Purge(stream!, asked, out var fault);
        stream!.Announce(request.Batch);
        if (fault is not null)
        {
            request.Fail(ApiErrors.StreamPurgeFailedF.With("err", fault.Reason), new PurgeReply(), StreamJson.Default.PurgeReply);
            return;
        }
        request.Reply(new PurgeReply { Success = true, Purged = purged }, StreamJson.Default.PurgeReply);
    }

    private static long Purge(MessageStream stream, PurgeRequest asked, out StoreFault? fault)
    {
        fault = null;
        // Removing frees space on a full disk: it does not wait for the next attempt to write.
        stream.TryResume();
        StorePurge? begun = null;
        for (; ; )
        {
            stream.YieldToPriorityWaiters();
            using (stream.Gate.Hold())
            {
                if (stream.IsClosed || stream.Account.Engine.IsStopping) return begun?.Purged ?? 0;
                var purge = begun ?? new StorePurge(stream.Store, new SubjectFilter(asked.Filter ?? ""), asked.Sequence, (long)Math.Min(asked.Keep, long.MaxValue));
                var hasMore = purge.Step(PurgedPerHold);
                begun = purge;
                if (!stream.CommitRemovalsLocked()) fault = stream.Store.Fault;
                if ((!hasMore && stream.Store.HasNoPendingWork) || stream.Store.Fault is not null) return purge.Purged;
            }
        }
    }

    private static void Delete(scoped in ApiRequest request)
    {
        if (request.IsEmpty)
        {
            request.Fail(ApiErrors.BadRequest);
            return;
        }
        if (!request.TryRead(StreamConfigJson.Reader(request.Account.Services.Options).MessageDeleteRequest, out var asked)) return;
        if (!request.TryFindStream(3, out var stream)) return;
        if (stream.Config.Sealed || stream.Config.DenyDelete)
        {
            request.Fail(stream.Config.Sealed ? ApiErrors.StreamSealed : ApiErrors.StreamMsgDeleteFailedF.With("err", "message delete not permitted"));
            return;
        }
        stream.TryResume();
        StoreStatus status;
        string? reason;
        stream.YieldToPriorityWaiters();
        using (stream.Gate.Hold())
        {
            // Erased messages cannot be restored: messages that others appended before are committed first.
            status = stream.IsClosed ? StoreStatus.Closed
                : asked.NoErase ? stream.Store.Remove(asked.Sequence)
                : stream.CommitRemovalsLocked() ? stream.Store.Erase(asked.Sequence) : StoreStatus.ReadOnly;
            if (!stream.CommitRemovalsLocked() && status == StoreStatus.Ok) status = StoreStatus.ReadOnly;
            reason = stream.Store.Fault?.Reason;
        }

        // After the response, the content is on no disk. Publishers do not wait for that.
        if (status == StoreStatus.Ok && !asked.NoErase && !stream.Flush()) (status, reason) = (StoreStatus.ReadOnly, "the disk cannot be flushed");
        switch (status)
        {
            case StoreStatus.Ok:
                request.Reply(new SuccessReply { Success = true }, StreamJson.Default.SuccessReply);
                break;
            case StoreStatus.NotFound or StoreStatus.BeyondEnd:
                request.Fail(NotFound(stream, asked.Sequence));
                break;
            default:
                request.Fail(ApiErrors.StreamMsgDeleteFailedF.With("err", reason ?? "the store refused the removal"));
                break;
        }
    }

    // For sequences that a file store never had or has no more at its ends, nats-server's error is about the store; in between, about the message.
    private static ApiError NotFound(MessageStream stream, ulong sequence)
    {
        var state = stream.Store.State;
        if (stream.Store is FileStore && sequence > state.LastSequence) return ApiErrors.StreamMsgDeleteFailedF.With("err", "stream store EOF");
        if (stream.Store is FileStore && sequence < state.FirstSequence) return ApiErrors.StreamMsgDeleteFailedF.With("err", "no message found");
        return ApiErrors.SequenceNotFound.With("seq", sequence.ToString(CultureInfo.InvariantCulture));
    }

    private static void Get(scoped in ApiRequest request)
    {
        if (request.IsEmpty)
        {
            request.Fail(ApiErrors.BadRequest);
            return;
        }
        if (!request.TryRead(StreamConfigJson.Reader(request.Account.Services.Options).MessageGetRequest, out var asked)) return;
        if (asked.Batch > 0 || asked.MaxBytes > 0 || Conflicts(asked))
        {
            request.Fail(ApiErrors.BadRequest);
            return;
        }
        if (!request.TryFindStream(3, out var stream)) return;
        MessageGetReply? reply;
        using (stream.Gate.Hold()) reply = Read(stream, asked);
        if (reply is null) request.Fail(ApiErrors.NoMessageFound);
        else request.ReplyUncounted(reply, StreamJson.Default.MessageGetReply);
    }

    private static bool Conflicts(MessageGetRequest asked)
    {
        var last = !string.IsNullOrEmpty(asked.LastBySubject);
        var next = !string.IsNullOrEmpty(asked.NextBySubject);
        return (asked.Sequence > 0 && (last || asked.StartTime is not null))
            || (asked.Sequence == 0 && !last && !next && asked.StartTime is null)
            || (last && (next || asked.StartTime is not null));
    }

    private static MessageGetReply? Read(MessageStream stream, MessageGetRequest asked)
    {
        if (stream.IsClosed) return null;
        stream.CommitPendingLocked();
        var store = stream.Store;
        var sequence = asked.StartTime is { } start ? store.Queries.SequenceAt(Clock.Of(start)) : asked.Sequence;
        var found = MessageSearch.TryFind(store, sequence, asked.NextBySubject, asked.LastBySubject, out var at);
        if (!found || at > stream.VisibleSequence || store.TryRead(at, out var message) != StoreStatus.Ok) return null;
        return new MessageGetReply
        {
            Message = new StoredMessageInfo
            {
                Subject = Encoding.UTF8.GetString(message.Subject),
                Sequence = message.Sequence,
                Headers = asked.NoHeaders || message.Headers.IsEmpty ? null : message.Headers.ToArray(),
                Data = message.Payload.IsEmpty ? null : message.Payload.ToArray(),
                Time = Rfc3339.Format(message.Timestamp),
            },
        };
    }
}
