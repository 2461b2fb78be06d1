using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>One stream: its messages, its configuration and its consumers.</summary>
/// <remarks>
/// Thread-safe. <see cref="StreamCore.Gate"/> guards the store, the configuration, the consumers and their state.
/// Nothing is published while it is held: messages leave through <see cref="StreamCore.Outgoing"/> or the batch's acknowledgements.
/// </remarks>
internal sealed class MessageStream : StreamCore, IDisposable
{
    // Maximum number of messages removed while the lock is held once: a few milliseconds.
    private const int RemovedPerHold = 5_000;

    // About a tenth of a second where the system scheduler's waits take a millisecond.
    private const int MaxYields = 100;

    // nats-server's queue group of its own services.
    private static readonly byte[] DirectGetGroup = "_sys_"u8.ToArray();

    private readonly StreamPublishHandler _publishHandler;
    private readonly StreamExpiry _expiry;
    private readonly StreamCompaction? _compaction;
    private readonly StreamSubscriptions _subscriptions;
    private ulong _unwantedFrom;
    private ulong _announced;
    private long _checkedCommit;
    private bool _isRemoved;
    private long _countedBytes;
    private bool _isOffline;
    private int _priorityWaiters;

    public MessageStream(JetStreamAccount account, StreamConfig config, MessageStore store, IStoreFolder? folder, DateTimeOffset created)
        : base(account.Services, config, store)
    {
        _subscriptions = new StreamSubscriptions(Services.Subscriptions);
        Account = account;
        Folder = folder;
        Created = created;
        DurableAcks = new DurableAckQueue(Services.Batches);
        Sourcing = new StreamSourcing(this);
        store.Observer = new StreamObserver(this);
        if (store is FileStore file)
        {
            file.Durable = DurableAcks.Report;
            _compaction = new StreamCompaction(this, file);
        }
        _publishHandler = new StreamPublishHandler(this);
        _expiry = new StreamExpiry(this);
        IncompleteCommit.Repair(this);
        VisibleSequence = _announced = store.LastSequence;
        Apply(config);
        CountBytes();
    }

    /// <summary>The number of connections' threads that wait for the lock.</summary>
    public int PriorityWaiters => Volatile.Read(ref _priorityWaiters);

    /// <summary>The account of the stream.</summary>
    public JetStreamAccount Account { get; }

    /// <summary>The stream's folder; null for memory streams.</summary>
    public IStoreFolder? Folder { get; }

    /// <summary>When it was created.</summary>
    public DateTimeOffset Created { get; }

    /// <summary>The last committed sequence: messages above it may not be read yet.</summary>
    public ulong VisibleSequence { get; private set; }

    /// <summary>Whether messages are removed when consumers have processed them.</summary>
    public bool RetainsByInterest => Config.Retention != StreamRetention.Limits;

    /// <summary>Whether the stream is deleted or the broker stops.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>The mirror or the sources that it copies.</summary>
    public StreamSourcing Sourcing { get; }

    /// <summary>Acknowledgements that wait for a flush of the disk.</summary>
    internal DurableAckQueue DurableAcks { get; }

    /// <summary>Adds a consumer.</summary>
    public void AttachLocked(IStreamConsumer consumer)
    {
        AssertLocked();
        Consumers = [.. Consumers, consumer];
    }

    /// <summary>Removes a consumer and the messages that only it still needed.</summary>
    public void DetachLocked(IStreamConsumer consumer)
    {
        AssertLocked();
        Consumers = [.. Consumers.Where(other => !ReferenceEquals(other, consumer))];
        if (Config.Retention == StreamRetention.Interest && !IsClosed && !consumer.IsInternal) RemoveUnwantedLocked();
    }

    /// <summary>Removes the messages that no consumer needs: those of a millisecond at once, for the caller to commit, and others on the thread pool.</summary>
    public void RemoveUnwantedLocked()
    {
        AssertLocked();
        var isRunning = _unwantedFrom != 0;
        _unwantedFrom = InterestRetention.RemoveUnwanted(this, Store.FirstSequence);
        if (_unwantedFrom != 0 && !isRunning) ThreadPool.UnsafeQueueUserWorkItem(static stream => stream.RemoveMoreUnwanted(), this, preferLocal: false);
    }

    /// <summary>Handles that a consumer no longer needs a message: it is removed unless another consumer needs it.</summary>
    public void OnAcknowledgedLocked(IStreamConsumer consumer, ulong sequence)
    {
        AssertLocked();
        InterestRetention.Acknowledged(this, consumer, sequence);
    }

    /// <summary>Handles that a consumer no longer needs a range of messages.</summary>
    public void OnAcknowledgedUpToLocked(IStreamConsumer consumer, ulong first, ulong last)
    {
        AssertLocked();
        if (!RetainsByInterest) return;
        var sequence = Math.Max(first, Store.FirstSequence);
        while (sequence <= last && Store.Queries.TryFindNext(SubjectFilter.All, sequence, out var found) && found <= last)
        {
            InterestRetention.Passed(this, consumer, found);
            sequence = found + 1;
        }
    }

    /// <summary>Commits removals with the durability of the store.</summary>
    /// <returns>False when the store failed: the removals are rolled back.</returns>
    public bool CommitRemovalsLocked() => !CommitLocked().Failed;

    /// <summary>Commits removals, if there are any, so that no consumer skips a message that a rollback would restore.</summary>
    public void CommitPendingRemovalsLocked()
    {
        if (Effects.HasRemovals) _ = CommitLocked();
    }

    /// <summary>Commits what is appended and removed before it is read: an appended message may have removed the one that it replaces,
    /// but is not visible before its commit.</summary>
    public void CommitPendingLocked()
    {
        if (Effects.HasRemovals || Store.LastSequence > VisibleSequence) _ = CommitLocked();
    }

    /// <summary>Commits appended and removed messages.</summary>
    public StreamCommit Commit()
    {
        using (Gate.Hold()) return CommitLocked();
    }

    /// <summary>Commits, and sends the acknowledgements according to the result.</summary>
    internal StreamCommit Commit(PubAckBatch acknowledgements, SendBatch batch)
    {
        EnterWithPriority(batch);
        try
        {
            var commit = CommitLocked();
            acknowledgements.MarkLost();
            return commit;
        }
        finally
        {
            Gate.Exit();
        }
    }

    /// <summary>Takes the lock with priority over threads that take it for long; for connections' threads, where a wait delays them all.</summary>
    /// <param name="batch">The batch that is being read: after a wait, the turn of its connection ends soon, so that others are served.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EnterWithPriority(SendBatch batch)
    {
        if (!Gate.TryEnter()) WaitWithPriority(batch);
    }

    /// <summary>Called before the lock is taken for long: threads that wait in <see cref="EnterWithPriority"/> get it first.</summary>
    /// <remarks>The lock itself is not fair: a thread that releases it and takes it again precedes those that wait. The number of
    /// yields is limited, so that very many publishers do not block a purge indefinitely.</remarks>
    public void YieldToPriorityWaiters()
    {
        var spinner = default(SpinWait);
        for (var left = MaxYields; left > 0 && PriorityWaiters > 0; left--) spinner.SpinOnce();
    }

    /// <summary>Notifies consumers of newly visible messages and publishes the outgoing messages. Called without the lock.</summary>
    public void Announce(SendBatch batch)
    {
        ulong first, last;
        IStreamConsumer[] consumers;
        using (Gate.Hold())
        {
            first = _announced + 1;
            last = _announced = VisibleSequence;
            consumers = Consumers;
        }
        Outgoing.Publish(batch);
        if (first > last) return;
        foreach (var consumer in consumers) ConsumerNotifier.OnStored(consumer, first, last, batch);
    }

    /// <summary>The acknowledgements of this stream in a batch.</summary>
    internal PubAckBatch BatchOf(SendBatch batch) => _publishHandler.BatchOf(batch);

    /// <summary>Takes the stream out of service after an unexpected error: it is logged, and the stream accepts no more messages.</summary>
    internal void Fail(Exception error)
    {
        StreamLog.Offline(Services.Logger, Services.AccountName, Name, error);
        if (Interlocked.Exchange(ref _isOffline, true)) return;
        using (Gate.Hold())
        {
            Effects.Abandon();
            _publishHandler.DropBatches();
            _expiry.Stop();
            _subscriptions.Clear();
        }
        Account.Engine.CountOffline();
    }

    /// <summary>Starts to accept messages on the configured subjects, and to expire them.</summary>
    /// <param name="takeOver">Hands over the messages published to the stream before, and its subscriptions; null subscribes now.</param>
    public void Open(Func<IInternalSubscriber, List<Subscription>>? takeOver = null)
    {
        using (Gate.Hold())
        {
            Schedules.Recover();
            if (takeOver is null) Subscribe();
            else SubscribeDirectGets();
            _expiry.Schedule();
            _compaction?.Begin();
        }
        if (takeOver is null) return;
        var subscriptions = takeOver(_publishHandler);
        using (Gate.Hold())
        {
            _subscriptions.TakeOver(subscriptions);
            if (IsClosed) _subscriptions.Clear();
        }
    }

    /// <summary>Replaces the configuration. The account's changes are locked.</summary>
    public void Update(StreamConfig config)
    {
        WriteMetadata(config);
        while (Shrink(config))
        {
            Thread.Yield();
        }
        using (Gate.Hold())
        {
            if (config is { Discard: DiscardPolicy.New, DiscardNewPerSubject: true, MaxMessagesPerSubject: > 0 and var max }
                && (Config.MaxMessagesPerSubject <= 0 || max < Config.MaxMessagesPerSubject))
            {
                // A lower limit is enforced when it is set, and rejects new messages from then on.
                Store.Retention.Limits = new StoreLimits(0, 0, max);
            }
            var becomesInterest = Config.Retention != StreamRetention.Interest && config.Retention == StreamRetention.Interest;
            Config = config;
            Apply(config);
            _subscriptions.Replace(Subscribe);
            if (becomesInterest) RemoveUnwantedLocked();
            _ = CommitLocked();
            _expiry.Schedule();
        }
    }

    /// <summary>Notifies consumers of a new configuration and of changed messages. Called without the lock.</summary>
    public void AnnounceUpdate(SendBatch batch)
    {
        foreach (var consumer in Consumers) ConsumerNotifier.OnStreamUpdated(consumer, Config, batch);
        Announce(batch);
    }

    /// <summary>Flushes to the disk. Not locked: publishers' threads serve other connections too.</summary>
    /// <returns>False when it failed; the next commit reports it.</returns>
    public bool Flush()
    {
        FileStore? file;
        using (Gate.Hold()) file = IsClosed ? null : Store as FileStore;
        return file is not { Fault: null } || file.SyncConcurrently();
    }

    /// <summary>Tries to write again after a disk error.</summary>
    public void TryResume()
    {
        using (Gate.Hold())
        {
            // After a failed flush the content of the disk is unknown: an operator must check it.
            if (IsClosed || Store is not FileStore { Fault.Kind: StoreFaultKind.DiskFull or StoreFaultKind.ReadOnlyDisk } file || !file.TryResume()) return;
            VisibleSequence = Store.CommittedSequence;
            CountBytes();
            Schedules.Recover();
            if (RetainsByInterest)
            {
                // The rollback restored messages that consumers have processed.
                Account.Engine.Consumers?.ReleaseAcknowledged(this);
                _ = CommitLocked();
            }
            _expiry.Schedule();
        }
        StreamLog.Resumed(Services.Logger, Services.AccountName, Name);
    }

    /// <summary>Checks whether the stream's files are still in their folder; reported once if not.</summary>
    /// <param name="evenIfIdle">Whether to check even if nothing was written since the last time.</param>
    public void CheckFolder(bool evenIfIdle)
    {
        using (Gate.Hold())
        {
            if (IsClosed || _isRemoved || Store is not FileStore file || (!evenIfIdle && file.LastCommit == _checkedCommit)) return;
            _checkedCommit = file.LastCommit;
            if (file.CheckFolder()) return;
            _isRemoved = true;
        }
        StreamLog.FilesRemoved(Services.Logger, Services.AccountName, Name, Folder!.Path);
        Account.Engine.Progress.AddProblem($"JetStream stream '{Services.AccountName} > {Name}' no longer stores messages: its files were removed while the server was running");
    }

    /// <summary>Closes the stream.</summary>
    /// <param name="delete">Whether its messages are deleted too.</param>
    /// <param name="batch">The batch for messages about it.</param>
    public void Close(bool delete, SendBatch batch)
    {
        IStreamConsumer[] consumers;
        using (Gate.Hold())
        {
            if (IsClosed) return;
            IsClosed = true;
            _subscriptions.Clear();
            _expiry.Stop();
            _publishHandler.DropBatches();
            consumers = Consumers;
        }
        Sourcing.Stop(delete);
        _compaction?.WaitForEnd();
        foreach (var consumer in consumers) ConsumerNotifier.OnStreamClosed(consumer, delete, batch);
        using (Gate.Hold())
        {
            Consumers = [];
            if (delete && Folder is { Exists: true })
            {
                StreamFiles.MarkDiscarded(Folder);
            }
            Store.Observer = null;
            if (delete) Store.Abandon();
            Store.Dispose();
            Duplicates.Clear();
            Storage.CountBytes(Config.Storage, -_countedBytes);
            _countedBytes = 0;
        }

        // A publisher that waits for the lock learns at once that the stream is closed.
        if (delete) Folder?.DeleteAll();
    }

    /// <inheritdoc/>
    public void Dispose() => _expiry.Dispose();

    /// <summary>Writes the configuration to the disk.</summary>
    public void WriteMetadata(StreamConfig config)
    {
        if (Folder is null) return;
        var text = JsonSerializer.SerializeToUtf8Bytes(new StreamMetadata { Created = Created, Config = config }, StreamJson.Default.StreamMetadata);
        MetadataFile.Write(Folder, StreamFiles.MetadataName, text);
    }

    /// <summary>Handles the removal of a message. Called by the store's observer.</summary>
    internal void OnRemoved(ReadOnlySpan<byte> subject, RemoveReason reason, bool lastOfSubject)
    {
        Effects.OnRemoved();
        _expiry.OnRemoved(subject, reason, lastOfSubject);
    }

    /// <summary>Abandons atomic batches that have waited too long, and returns the next deadline. Locked.</summary>
    internal long AbandonExpiredBatches(long now) => _publishHandler.AbandonExpiredBatches(now);

    /// <inheritdoc/>
    internal override void OnExpiryChanged() => _expiry.Schedule();

    /// <summary>The response to publishes that the store lost.</summary>
    internal byte[] RenderStoreFailure()
    {
        using (Gate.Hold()) return RenderError(StreamAppender.StoreFailed(Store));
    }

    private StreamCommit CommitLocked()
    {
        AssertLocked();
        if (IsClosed)
        {
            Effects.Abandon();
            return new StreamCommit(0, true, true);
        }
        var status = Store.Commit(out var number);
        var failed = status != StoreStatus.Ok;
        if (failed) StreamLog.StoreFailed(Services.Logger, Services.AccountName, Name, Store.Fault?.Message ?? status.ToString());
        else Effects.OnCommitted();
        VisibleSequence = Store.CommittedSequence;
        _announced = Math.Min(_announced, VisibleSequence);
        CountBytes();
        return new StreamCommit(number, Store is not FileStore file || file.DurableCommit >= number, failed);
    }

    private void CountBytes()
    {
        if (Store.Bytes == _countedBytes) return;
        Storage.CountBytes(Config.Storage, Store.Bytes - _countedBytes);
        _countedBytes = Store.Bytes;
    }

    // Applies lower limits in steps, so that other threads may publish in between.
    private bool Shrink(StreamConfig config)
    {
        using (Gate.Hold())
        {
            var (limits, perSubject) = (LimitsOf(config), Store.Retention.Limits.MaxMessagesPerSubject);

            // The limit per subject comes first: it may leave nothing above the others.
            var isFirst = limits.MaxMessagesPerSubject > 0 && (perSubject == 0 || limits.MaxMessagesPerSubject < perSubject);
            if (IsClosed || Account.Engine.IsStopping || Store.Fault is not null || isFirst) return false;
            var hasMore = Store.Retention.Shrink(limits, RemovedPerHold);
            _ = CommitLocked();
            return hasMore && Store.Fault is null;
        }
    }

    private void RemoveMoreUnwanted()
    {
        try
        {
            for (var isDone = false; !isDone;)
            {
                using (Gate.Hold())
                {
                    isDone = IsClosed || _unwantedFrom == 0 || Config.Retention != StreamRetention.Interest || Store.Fault is not null;
                    _unwantedFrom = isDone ? 0 : InterestRetention.RemoveUnwanted(this, _unwantedFrom);
                    if (!isDone) _ = CommitLocked();
                }
            }
        }
        catch (Exception error)
        {
            // An exception on this thread would end the process.
            using (Gate.Hold()) _unwantedFrom = 0;
            Fail(error);
        }
    }

    // A stream that rejects new messages keeps the old ones, whatever the limits are.
    private static StoreLimits LimitsOf(StreamConfig config)
    {
        var keepsOld = config.Discard == DiscardPolicy.New;
        return new StoreLimits(
            keepsOld ? 0 : Math.Max(config.MaxMessages, 0),
            keepsOld ? 0 : Math.Max(config.MaxBytes, 0),
            keepsOld && config.DiscardNewPerSubject ? 0 : Math.Max(config.MaxMessagesPerSubject, 0));
    }

    private void Apply(StreamConfig config)
    {
        Store.Retention.Limits = LimitsOf(config);
        Duplicates.Window = Clock.Of(config.DuplicateWindow);
        _publishHandler.Apply(config);
    }

    private void Subscribe()
    {
        if (IsClosed) return;
        foreach (var subject in Config.SubjectList) _subscriptions.Add(subject, _publishHandler, []);
        SubscribeDirectGets();
    }

    private void WaitWithPriority(SendBatch batch)
    {
        Interlocked.Increment(ref _priorityWaiters);
        Gate.Enter();
        Interlocked.Decrement(ref _priorityWaiters);
        batch.LookAtClock();
    }

    // A stream and its mirrors, here and on other servers, are members of one queue group: one of them responds.
    private void SubscribeDirectGets() => Account.Engine.SubscribeDirectGets?.Invoke(this, (subject, handler) => _subscriptions.Add(subject, handler, DirectGetGroup));
}
