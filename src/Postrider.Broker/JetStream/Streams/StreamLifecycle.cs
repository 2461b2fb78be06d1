using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Subjects;
using Postrider.Sockets;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Creates, changes and deletes streams.</summary>
internal static class StreamLifecycle
{
    /// <summary>Creates a stream, or finds the one that was created with the same configuration.</summary>
    /// <param name="account">Its account.</param>
    /// <param name="asked">The requested configuration.</param>
    /// <param name="batch">The batch for messages about it.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="created">Whether it is new; nats-server's response contains this in both cases.</param>
    /// <returns>The problem, or null.</returns>
    public static ApiError? TryCreate(JetStreamAccount account, StreamConfig asked, SendBatch batch, out MessageStream? stream, out bool created)
    {
        stream = null;
        created = true;
        var config = asked;
        lock (account.Changes)
        {
            if (asked.Sealed) return StreamConfigValidator.Invalid("stream configuration for create can not be sealed");
            if (asked is { MirrorDirect: true, Mirror: null }) return StreamConfigValidator.Invalid("stream has no mirror but does have mirror direct");
            if (StreamConfigValidator.Validate(account, ref config) is { } problem) return problem;
            if (config.Replicas > 1) return ApiErrors.StreamReplicasNotSupported;
            config = WithMetadata(config);
            if (account.TryGetStream(config.Name, out stream))
                return StreamConfigJson.AreEqual(stream.Config, config) ? null : ApiErrors.StreamNameExist;
            if (account.FindReservation(config.Name) is { } kept) return ApiErrors.StreamCreate.With("err", "the name is taken: a stream with that name could not be recovered or is being restored");
            if (account.Limits.MaxStreams > 0 && account.Streams.Count >= account.Limits.MaxStreams) return ApiErrors.MaximumStreamsLimit;
            if (ReservationValidator.ValidateNew(account, config) is { } limit) return limit;
            if (Overlaps(account, config, null)) return ApiErrors.StreamSubjectOverlap;
            if (TryOpen(account, config, account.Engine.Time.GetUtcNow(), out stream) is { } failure) return failure;
            account.Add(stream!);
            stream!.Open();
        }
        AdvisoryPublisher.Stream(account.Services, config.Name, "CREATED", "create", batch);
        account.StartSourcing(stream, batch);
        return null;
    }

    /// <summary>Changes a stream.</summary>
    public static ApiError? TryUpdate(JetStreamAccount account, string name, StreamConfig asked, SendBatch batch, out MessageStream? stream)
    {
        stream = null;
        var config = asked;
        lock (account.Changes)
        {
            if (StreamConfigValidator.Validate(account, ref config) is { } problem) return problem;
            if (name != config.Name) return ApiErrors.StreamMismatch;
            if (!account.TryGetStream(name, out stream)) return ApiErrors.StreamNotFound;
            if (StreamUpdateValidator.Validate(account, stream, ref config) is { } refused) return refused;
            if (Overlaps(account, config, stream)) return ApiErrors.StreamSubjectOverlap;
            try
            {
                stream.Update(WithMetadata(config));
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                StreamLog.StoreFailed(account.Engine.Logger, account.Account.Name, name, error.Message);
                return ApiErrors.StreamUpdate.With("err", DiskErrors.ReasonOf(error));
            }
        }
        stream.AnnounceUpdate(batch);
        stream.Sourcing.Start(batch);
        AdvisoryPublisher.Stream(account.Services, name, "UPDATED", "modify", batch);
        return null;
    }

    /// <summary>Deletes a stream with everything in it.</summary>
    public static void Delete(MessageStream stream, SendBatch batch)
    {
        var account = stream.Account;
        lock (account.Changes)
        {
            if (!account.Remove(stream)) return;
        }
        stream.Close(delete: true, batch);
        stream.Dispose();
        account.Engine.Progress.Remove(account.Account.Name, stream.Name);
        AdvisoryPublisher.Stream(account.Services, stream.Name, "DELETED", "delete", batch);
    }

    /// <summary>Opens the store of a new stream and writes its configuration.</summary>
    public static ApiError? TryOpen(JetStreamAccount account, StreamConfig config, DateTimeOffset created, out MessageStream? stream)
    {
        stream = null;
        var folder = config.Storage == StreamStorage.File ? account.Folder!.Folder(StreamFiles.StreamsName).Folder(config.Name) : null;
        try
        {
            // Remains of an interrupted deletion must not become part of the new stream.
            folder?.DeleteAll();
            stream = new MessageStream(account, config, StreamStoreFactory.Open(account.Engine, account, config, folder), folder, created);
            stream.WriteMetadata(config);
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            StreamLog.StoreFailed(account.Engine.Logger, account.Account.Name, config.Name, error.Message);
            stream?.Dispose();
            stream = null;
            return ApiErrors.StreamCreate.With("err", "error creating store for stream");
        }
    }

    /// <summary>Whether another stream has overlapping subjects.</summary>
    public static bool Overlaps(JetStreamAccount account, StreamConfig config, MessageStream? self)
    {
        if (config.SubjectList.Count == 0) return false;
        var subjects = new SubjectOverlaps(config.SubjectList);
        return account.Streams
            .Where(other => !ReferenceEquals(other, self))
            .SelectMany(static other => other.Config.SubjectList)
            .Any(subjects.Collides);
    }

    /// <summary>A configuration with the metadata to store.</summary>
    public static StreamConfig WithMetadata(StreamConfig config)
    {
        var level = 0;
        if (config.AllowMessageTtl || config.SubjectDeleteMarkerTtl > TimeSpan.Zero) level = 1;
        if (config.AllowMessageCounter || config.AllowAtomicPublish || config.AllowMessageSchedules || config.PersistMode == PersistMode.Async) level = 2;
        if (config.AllowBatchPublish) level = 4;
        return config with { Metadata = ApiLevel.ToKeep(config.Metadata, level), Pedantic = false };
    }
}
