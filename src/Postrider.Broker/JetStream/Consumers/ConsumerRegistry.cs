using System.Collections.Concurrent;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Api;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Storage.Consumers;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Creates, finds, updates and deletes the consumers of all accounts.</summary>
/// <remarks>Thread-safe. Locks: <see cref="_changes"/> before a stream's.</remarks>
internal sealed class ConsumerRegistry : IConsumerRegistry, IConsumerOwner
{
    private const int MaxNameBytes = 255;
    private const int NameLetters = 8;

    // The default of nats-server.
    private const string Letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private readonly ConcurrentDictionary<JetStreamAccount, AckRouter> _routers = [];

    // Held while a consumer is created, updated or deleted, so that changes of files and subscriptions do not interleave.
    private readonly Lock _changes = new();
    private int _scheduledWork;

    /// <summary>Whether no consumer has work queued on the thread pool.</summary>
    internal bool IsIdle => Volatile.Read(ref _scheduledWork) == 0;

    /// <inheritdoc/>
    public void Register(JetStreamAccount account)
    {
        ConsumerApi.Register(this, new ApiRouter(account));
        _ = RouterOf(account);
    }

    /// <inheritdoc/>
    public void Unregister(JetStreamAccount account)
    {
        if (_routers.TryRemove(account, out var router)) router.Close();
    }

    /// <inheritdoc/>
    public IReadOnlyList<Subscription> RegisterNotEnabled(JetStreamEngine engine, Account account)
    {
        var api = new ApiRouter(engine, account);
        ConsumerApi.Register(this, api);
        return api.Subscriptions;
    }

    /// <inheritdoc/>
    public void Recover(MessageStream stream, SendBatch batch)
    {
        if (stream.Folder?.Folder(StreamFiles.ConsumersName) is not { } folder) return;
        lock (_changes)
        {
            var isWhole = true;
            foreach (var name in folder.Folders().Order(StringComparer.Ordinal)) isWhole &= TryRecover(stream, folder.Folder(name), name);

            // It is unknown which messages an unreadable consumer still needs.
            if (isWhole) ReleaseAcknowledged(stream);
        }
    }

    /// <inheritdoc/>
    public void EndPulls(MessageStream stream, SendBatch batch)
    {
        Consumer[] consumers;
        using (stream.Gate.Hold()) consumers = [.. stream.Consumers.OfType<Consumer>()];
        foreach (var consumer in consumers) consumer.EndPulls(batch);
    }

    /// <inheritdoc/>
    public IReadOnlyList<KeyValuePair<string, byte[]>> Export(MessageStream stream, ulong upTo)
        => [.. stream.Consumers.OfType<Consumer>()
            .Where(static consumer => !consumer.IsInternal)
            .OrderBy(static consumer => consumer.Name, StringComparer.Ordinal)
            .Select(consumer => KeyValuePair.Create(consumer.Name, ConsumerSnapshotMapper.Write(consumer, upTo)))];

    /// <inheritdoc/>
    public void ReleaseAcknowledged(MessageStream stream)
    {
        using (stream.Gate.Hold())
        {
            foreach (var consumer in stream.Consumers.OfType<Consumer>()) ConsumerUpdater.ReleaseDone(consumer);
        }
    }

    /// <inheritdoc/>
    public JsonArray Describe(MessageStream stream, bool direct, bool withConfig)
        // Not a collection expression: its generic Add cannot be trimmed.
        => new([.. stream.Consumers.OfType<Consumer>()
            .Where(consumer => consumer.IsInternal == direct)
            .OrderBy(static consumer => consumer.Name, StringComparer.Ordinal)
            .Select(consumer =>
            {
                var described = JsonSerializer.SerializeToNode(ConsumerInfoMapper.Map(consumer), ConsumerJson.Default.ConsumerInfo)!.AsObject();
                if (!withConfig) described.Remove("config");
                return described;
            })]);

    /// <inheritdoc/>
    public string? Import(MessageStream stream, string name, ReadOnlySpan<byte> document, SendBatch batch)
    {
        if (!ConsumerSnapshotMapper.TryRead(document, name, out var config, out var state, out var problem)) return problem;
        var limits = LimitsOf(stream);
        if ((ConsumerDefaults.Apply(ref config, stream.Config, in limits, pedantic: false) ?? ConsumerConfigValidator.Validate(config, stream.Config, in limits)) is { } refused)
            return refused.Description;
        lock (_changes)
        {
            if (Find(stream, name) is not null) return "it occurs twice";
            ConsumerJournal? log = null;
            var created = stream.Services.Time.GetUtcNow();
            config = WithThreshold(config);
            if (ConsumerFiles.For(stream, name, config) is { } folder)
            {
                ConsumerFiles.Write(folder, created, config, MetadataFlush.All);
                log = ConsumerFiles.OpenLog(folder, ConsumerFiles.OwnerOf(stream, name, created), out _);
                log.Reset(state);
            }
            Begin(new Consumer(this, stream, name, config, created, log, log?.State ?? state));
        }
        return null;
    }

    /// <summary>Work of a consumer was queued on the thread pool.</summary>
    public void OnWorkScheduled() => Interlocked.Increment(ref _scheduledWork);

    /// <summary>Work of a consumer on the thread pool has ended.</summary>
    public void OnWorkCompleted() => Interlocked.Decrement(ref _scheduledWork);

    /// <summary>A consumer of a stream, or null.</summary>
    public static Consumer? Find(MessageStream stream, string? name)
    {
        using (stream.Gate.Hold()) return stream.Consumers.OfType<Consumer>().FirstOrDefault(consumer => consumer.Name == name);
    }

    /// <summary>The consumers of a stream that are listed, sorted by name.</summary>
    public static Consumer[] List(MessageStream stream)
    {
        using (stream.Gate.Hold()) return [.. stream.Consumers.OfType<Consumer>().Where(static consumer => !consumer.IsInternal).OrderBy(static consumer => consumer.Name, StringComparer.Ordinal)];
    }

    /// <summary>The limits for consumers of a stream.</summary>
    public static ServerConsumerLimits LimitsOf(MessageStream stream)
    {
        var options = stream.Services.Options;
        return new ServerConsumerLimits(options.MaxAckPending, stream.Account.Limits.MaxAckPending, options.MaxRequestBatch);
    }

    /// <summary>Creates a consumer, or updates the one with that name.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="config">The requested configuration.</param>
    /// <param name="action">Whether it may be created, updated, or both.</param>
    /// <param name="pedantic">Whether corrections are errors.</param>
    /// <param name="info">The consumer before its first delivery.</param>
    /// <param name="batch">The batch for advisories.</param>
    /// <param name="consumer">The consumer; <see cref="Consumer.Run"/> starts its deliveries.</param>
    /// <returns>Null, or the error.</returns>
    public ApiError? CreateOrUpdate(
        MessageStream stream, ConsumerConfig config, ConsumerAction action, bool pedantic, SendBatch batch, out Consumer? consumer, out ConsumerInfo? info)
    {
        (consumer, info) = (null, null);
        var limits = LimitsOf(stream);
        if (ConsumerDefaults.Apply(ref config, stream.Config, in limits, pedantic) is { } wrong) return wrong;
        if (ConsumerConfigValidator.Validate(config, stream.Config, in limits) is { } refused) return refused;
        lock (_changes)
        {
            var name = config.IsDurable ? config.Durable : config.Name;
            var existing = string.IsNullOrEmpty(name) ? null : Find(stream, name);
            var error = existing is not null ? Change(existing, config, action, batch)
                : action == ConsumerAction.Update ? ApiErrors.ConsumerDoesNotExist
                : Create(stream, config, name, batch, out existing);
            if (error is not null) return error;
            consumer = existing!;
            using (stream.Gate.Hold())
            {
                // Readers of a bucket rely on the number of messages that it reports: a replaced one counts as the one that replaced it.
                if (!consumer.IsClosed) stream.CommitPendingLocked();
                info = ConsumerInfoMapper.Map(consumer);
            }
            return null;
        }
    }

    /// <summary>Updates a consumer.</summary>
    public ApiError? Update(Consumer consumer, ConsumerConfig config, SendBatch batch)
    {
        lock (_changes) return ConsumerUpdater.Apply(consumer, config, RouterOf(consumer.Stream.Account), batch);
    }

    /// <summary>Ends a consumer and deletes it.</summary>
    /// <returns>False when it had ended already.</returns>
    public bool Delete(Consumer consumer, SendBatch batch)
    {
        lock (_changes)
        {
            using (consumer.Stream.Gate.Hold())
            {
                if (consumer.IsClosed) return false;
                consumer.CloseLocked(deleted: true);
                consumer.Stream.DetachLocked(consumer);
                consumer.Stream.CommitRemovalsLocked();
            }
            Remove(consumer, deleted: true);
        }
        consumer.PublishQueued(batch);
        return true;
    }

    /// <summary>Removes a consumer that has ended.</summary>
    public void Remove(Consumer consumer, bool deleted)
    {
        RouterOf(consumer.Stream.Account).Remove(consumer);
        foreach (var subscription in consumer.Subscriptions) subscription.Leave(consumer.Tree);
        if (deleted && ConsumerFiles.For(consumer.Stream, consumer.Name, consumer.Config) is { } folder)
            ConsumerFiles.Delete(folder, ConsumerFiles.IsFlushed(consumer.Stream, consumer.Config));
    }

    private AckRouter RouterOf(JetStreamAccount account) => _routers.GetOrAdd(account, static account => new AckRouter(account));

    private ApiError? Change(Consumer existing, ConsumerConfig config, ConsumerAction action, SendBatch batch)
    {
        // A pause can only be changed by its own request.
        config = config with { PauseUntil = existing.Config.PauseUntil, Name = existing.Config.Name ?? config.Name };
        if (action == ConsumerAction.Create && !ConsumerUpdater.AreSame(existing.Config, config)) return ApiErrors.ConsumerAlreadyExists;
        if (existing.Stream.Config.Retention == StreamRetention.WorkQueue && !config.Sourcing && !WorkQueueValidator.IsOnly(existing.Stream, existing.Name, config.Filters))
            return ApiErrors.ConsumerWQConsumerNotUnique;
        return ConsumerUpdater.Apply(existing, config, RouterOf(existing.Stream.Account), batch);
    }

    private ApiError? Create(MessageStream stream, ConsumerConfig config, string? name, SendBatch batch, out Consumer? consumer)
    {
        consumer = null;
        if (!config.IsForCopies && IsAtLimit(stream)) return ApiErrors.MaximumConsumersLimit;
        if (WorkQueueValidator.Validate(stream, name, config) is { } conflict) return conflict;
        if (Encoding.UTF8.GetByteCount(name ?? "") > MaxNameBytes) return ApiErrors.ConsumerNameTooLong.With("max", $"{MaxNameBytes}");
        if (string.IsNullOrEmpty(name))
        {
            do name = stream.Services.Random.GetString(Letters, NameLetters);
            while (Find(stream, name) is not null);
        }
        var created = stream.Services.Time.GetUtcNow();
        config = WithThreshold(config);
        ConsumerJournal? log = null;
        try
        {
            var folder = ConsumerFiles.For(stream, name, config);
            var flush = ConsumerFiles.IsFlushed(stream, config);
            if (folder is not null)
            {
                if (!stream.Folder!.Exists) return ApiErrors.ConsumerStoreFailed.With("err", "the stream's folder was removed");

                // In this order: a kill in between leaves a consumer at its beginning, not a state that belongs to no consumer.
                ConsumerFiles.Write(folder, created, config, flush ? MetadataFlush.Contents : MetadataFlush.None);
                log = ConsumerFiles.BeginLog(folder, ConsumerFiles.OwnerOf(stream, name, created), flush);
            }
            var made = new Consumer(this, stream, name, config, created, log, log?.State ?? new ConsumerState());
            using (stream.Gate.Hold())
            {
                if (stream.IsClosed) return ApiErrors.StreamNotFound;
                StartingSequence.Apply(made);
                if (flush) folder?.Sync();
                made.StartLocked();
                stream.AttachLocked(made);
                made.Advisories.Created();
            }
            consumer = made;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            log?.Dispose();
            ConsumerLog.NotWritten(stream.Services.Logger, stream.Services.AccountName, stream.Name, name, error.Message);
            return ApiErrors.ConsumerStoreFailed.With("err", DiskErrors.ReasonOf(error));
        }
        Subscribe(consumer);
        consumer.PublishQueued(batch);
        return null;
    }

    private bool TryRecover(MessageStream stream, IStoreFolder folder, string name)
    {
        var account = stream.Account;
        try
        {
            if (ConsumerFiles.Read(folder, out var problem) is not { } metadata)
            {
                // A consumer that was being created or deleted when the broker stopped has no configuration.
                var isBlank = problem is not null && ConsumerFiles.IsBlank(folder);
                if (problem is null || isBlank) folder.DeleteAll();
                else NotRestored(stream, name, problem);
                if (isBlank) NotePosition(stream, name, "it had just been created when the machine stopped and was not on the disk yet: it is lost", isLoss: true);
                return problem is null;
            }
            if (problem is not null) ConsumerLog.Restored(account.Engine.Logger, account.Account.Name, stream.Name, name, problem);
            var log = ConsumerFiles.OpenLog(folder, ConsumerFiles.OwnerOf(stream, name, metadata.Created), out var damage);
            if (!log.Existed) damage ??= new ConsumerDamage("its state is missing", IsLoss: true, IsMissing: true, []);
            var note = damage is null ? null : ConsumerRepair.Mend(stream, metadata, log, damage);
            Begin(new Consumer(this, stream, name, metadata.Config, metadata.Created, log, log.State));
            if (note is not null) NotePosition(stream, name, note, damage!.IsLoss);
            return true;
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // One unreadable consumer must not prevent the recovery of the others.
            NotRestored(stream, name, error.Message);
            return false;
        }
    }

    private static void NotePosition(MessageStream stream, string name, string note, bool isLoss)
    {
        var account = stream.Account;
        ConsumerLog.Restored(account.Engine.Logger, account.Account.Name, stream.Name, name, note);
        if (isLoss) account.Engine.Progress.AddWarning(account.Account.Name, stream.Name, $"JetStream consumer '{account.Account.Name} > {stream.Name} > {name}': {note}");
    }

    private static void NotRestored(MessageStream stream, string name, string problem)
    {
        var account = stream.Account;
        ConsumerLog.NotRestored(account.Engine.Logger, account.Account.Name, stream.Name, name, problem);
        account.Engine.Progress.AddProblem($"JetStream consumer '{account.Account.Name} > {stream.Name} > {name}' could not be recovered: {problem}");
    }

    /// <inheritdoc/>
    public ulong LastDelivered(MessageStream stream) => ConsumerFiles.LastDelivered(stream);

    // The consumer has a position already: it comes from the disk or from an archive.
    private void Begin(Consumer consumer)
    {
        var stream = consumer.Stream;
        using (stream.Gate.Hold())
        {
            var delivered = consumer.Tracker.State.DeliveredStream;
            if (consumer.Tracker.Reconcile(stream.Store.LastSequence))
                ConsumerLog.AheadOfStream(stream.Services.Logger, stream.Services.AccountName, stream.Name, consumer.Name, delivered, stream.Store.LastSequence);
            consumer.Tracker.RemoveBelow(stream.Store.FirstSequence);
            consumer.StartLocked();
            stream.AttachLocked(consumer);
        }
        Subscribe(consumer);

        // The monitor does not report subscriptions that existed before.
        if (consumer.Push is not null) consumer.Schedule();
    }

    private void Subscribe(Consumer consumer)
    {
        RouterOf(consumer.Stream.Account).Add(consumer);
        var names = $"{consumer.Stream.Name}.{consumer.Name}";
        foreach (var prefix in ConsumerApi.Prefixes(consumer.Stream.Account.Engine)) Add(consumer, $"{prefix}CONSUMER.MSG.NEXT.{names}", new PullRequestHandler(consumer));
    }

    private static void Add(Consumer consumer, string subject, IInternalSubscriber handler)
    {
        var bytes = Encoding.UTF8.GetBytes(subject);
        var subscription = new Subscription(handler, bytes, []);
        consumer.Subscriptions.Add(subscription);
        consumer.Tree.Add(bytes, [], subscription);
    }

    private static ConsumerConfig WithThreshold(ConsumerConfig config)
        => !config.IsDurable && config.InactiveThreshold <= TimeSpan.Zero ? config with { InactiveThreshold = ConsumerDefaults.InactiveThreshold } : config;

    private static int CountLimited(MessageStream stream)
    {
        using (stream.Gate.Hold()) return stream.Consumers.OfType<Consumer>().Count(static consumer => !consumer.Config.IsForCopies);
    }

    private static bool IsAtLimit(MessageStream stream)
    {
        var ofStream = stream.Config.MaxConsumers;
        var ofAccount = stream.Account.Limits.MaxConsumers;
        var max = ofStream <= 0 || (ofAccount > 0 && ofAccount < ofStream) ? ofAccount : ofStream;
        if (max <= 0) max = stream.Services.Options.MaxConsumersByDefault;
        return max > 0 && CountLimited(stream) >= max;
    }
}
