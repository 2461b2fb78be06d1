using System.Text;
using Postrider.Broker.JetStream.Advisories;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Wire.Frames;

namespace Postrider.Broker.JetStream.Api;

/// <summary>The operations that transfer whole streams: snapshot and restore.</summary>
internal static class SnapshotApi
{
    /// <summary>Adds the operations.</summary>
    public static void Register(ApiRouter api)
    {
        api.MapCommand("STREAM.SNAPSHOT.*", "io.nats.jetstream.api.v1.stream_snapshot_response", Snapshot);
        api.MapCommand("STREAM.RESTORE.*", "io.nats.jetstream.api.v1.stream_restore_response", Restore);
    }

    private static void Snapshot(scoped in ApiRequest request)
    {
        if (request.IsEmpty)
        {
            request.Fail(ApiErrors.BadRequest);
            return;
        }
        if (!request.TryFindStream(2, out var stream)) return;
        if (!request.TryRead(StreamConfigJson.Reader(request.Account.Services.Options).SnapshotRequest, out var asked)) return;
        if (!Subject.IsLiteral(Encoding.UTF8.GetBytes(asked.DeliverSubject)))
        {
            request.Fail(ApiErrors.SnapshotDeliverSubjectInvalid);
            return;
        }
        var (snapshots, publisher) = (request.Account.Engine.Snapshots, request.Publisher);
        if (!snapshots.TryEnter(publisher))
        {
            request.Fail(ApiErrors.StreamSnapshot.With("err", "too many snapshots at once"));
            return;
        }
        try
        {
            Send(in request, stream, asked, () => snapshots.Leave(publisher));
        }
        catch
        {
            snapshots.Leave(publisher);
            throw;
        }
    }

    // From here on the sender disposes of the snapshot; until then the caller does.
    private static void Send(scoped in ApiRequest request, MessageStream stream, SnapshotRequest asked, Action ended)
    {
        var client = AdvisoryPublisher.Describe(request.Account.Services, request.Publisher, request.Headers);
        var archive = StreamSnapshot.Begin(stream, !asked.NoConsumers);
        request.Reply(new SnapshotReply { Config = stream.Config, State = archive.State }, StreamJson.Default.SnapshotReply);
        AdvisoryPublisher.Transfer(
            request.Account.Services, "SNAPSHOT_CREATE", new StreamTransferAdvisory { Stream = stream.Name, State = archive.State, Client = client }, request.Batch);
        var sender = new SnapshotSender(stream, archive, asked, client);
        _ = Task.Run(async () =>
        {
            try
            {
                using (sender) await sender.RunAsync().ConfigureAwait(false);
            }
            finally
            {
                ended();
            }
        });
    }

    private static void Restore(scoped in ApiRequest request)
    {
        if (request.IsEmpty)
        {
            request.Fail(ApiErrors.BadRequest);
            return;
        }
        if (!request.TryRead(StreamConfigJson.Reader(request.Account.Services.Options).RestoreRequest, out var asked)) return;
        var name = request.Token(2);
        var config = asked.Config.Name.Length == 0 ? asked.Config with { Name = name } : asked.Config;
        if (config.Name != name)
        {
            request.Fail(ApiErrors.StreamMismatch);
            return;
        }
        if (name.AsSpan().IndexOfAny('\\', '/') >= 0)
        {
            request.Fail(ApiErrors.StreamNameContainsPathSeparators);
            return;
        }
        if (TryBegin(request.Account, ref config) is { } problem)
        {
            request.Fail(problem);
            return;
        }
        var client = AdvisoryPublisher.Describe(request.Account.Services, request.Publisher, request.Headers);
        var receiver = new RestoreReceiver(request.Account, config, client);
        AdvisoryPublisher.Transfer(request.Account.Services, "RESTORE_CREATE", new StreamTransferAdvisory { Stream = name, Client = client }, request.Batch);
        request.Reply(new RestoreReply { DeliverSubject = receiver.Subject }, StreamJson.Default.RestoreReply);
    }

    private static ApiError? TryBegin(JetStreamAccount account, ref StreamConfig config)
    {
        lock (account.Changes)
        {
            if (StreamConfigValidator.Validate(account, ref config) is { } problem) return problem;
            if (config.Replicas > 1) return ApiErrors.StreamReplicasNotSupported;
            if (account.Limits.MaxStreams > 0 && account.Streams.Count >= account.Limits.MaxStreams) return ApiErrors.MaximumStreamsLimit;
            if (ReservationValidator.ValidateNew(account, config) is { } limit) return limit;
            if (account.TryGetStream(config.Name, out _) || account.FindReservation(config.Name) is not null) return ApiErrors.StreamNameExistRestoreFailed;
            if (StreamLifecycle.Overlaps(account, config, null)) return ApiErrors.StreamSubjectOverlap;
            config = StreamLifecycle.WithMetadata(config);
            account.ReserveName(config.Name, "it is being restored");
            return null;
        }
    }
}
