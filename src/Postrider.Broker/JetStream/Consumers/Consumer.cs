// Hot path: MessageStream, AckRouter and clients' pulls -> this -> DeliveryTarget. Allocations: none per message.
using System.Runtime.CompilerServices;
using Postrider.Broker.JetStream.Consumers.Acknowledging;
using Postrider.Broker.JetStream.Consumers.Delivery;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Sockets;
using Postrider.Storage;
using Postrider.Storage.Consumers;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>One consumer of a stream: delivers its messages to clients and tracks what they acknowledge.</summary>
/// <remarks>
/// <para>Thread-safe. All state is guarded by the stream's lock; public members take it, internal ones are called with it held. A
/// consumer has no thread: the source of work (a publish, a pull, an acknowledgement, the timer) runs a delivery pass, which
/// writes frames into clients' lanes under the lock and hands them to the outboxes before it releases the lock, so order is kept.</para>
/// <para>A pass is bounded; the rest is continued on the thread pool, once the client's outbox has room.</para>
/// <para>Source: NATS documentation, consumers; nats-server, observed.</para>
/// </remarks>
internal sealed class Consumer : IStreamConsumer, IFlushCallback, IThreadPoolWorkItem
{
    // Maximum bytes that one pass writes before others get the lock: a few hundred microseconds.
    private const int MaxPassBytes = 512 * 1024;

    // Above the first mark nothing more is written to a client's outbox; below the second one writing continues.
    private const long HighMarkBytes = 4 * 1024 * 1024;
    private const long LowMarkBytes = 2 * 1024 * 1024;

    private readonly AckReplyWriter _replyWriter;
    private readonly ConsumerJournalWriter? _journal;
    private readonly ConsumerTimer _timer;
    private readonly DeliveryHeaderWriter _headerWriter = new();
    private readonly UncommittedRemovals _uncommitted;
    private readonly Action _continueLater;
    private SendBatch? _stepBatch;
    private long _stepStarted;
    private bool _removedMessages;
    private volatile bool _hasDemand;
    private bool _isScheduled;

    /// <summary>Creates a consumer that is not started yet: see <see cref="StartLocked"/>.</summary>
    public Consumer(
        IConsumerOwner owner, MessageStream stream, string name, ConsumerConfig config, DateTimeOffset created, ConsumerJournal? log, ConsumerState state)
    {
        Owner = owner;
        Stream = stream;
        Name = name;
        Config = config;
        Created = created;
        _journal = log is null ? null : new ConsumerJournalWriter(this, log);
        Queue = new PublishQueue(Tree, stream.Gate);
        Advisories = new ConsumerAdvisories(stream.Services, stream.Name, name, Queue);
        Tracker = new DeliveryTracker(state, log, config.ToRedeliverySettings());
        Cursor = new MessageCursor(stream.Store, Tracker);
        Cursor.SetFilter(config.Filters);
        Throttle = new DeliveryThrottle();
        _uncommitted = new UncommittedRemovals(this);
        _replyWriter = new AckReplyWriter(stream.Name, name);
        _continueLater = Schedule;
        if (config.IsPull) Pulls = new PullRequestQueue(this, (int)Math.Min(config.MaxWaiting, int.MaxValue));
        else Push = new PushFlowControl(this, config);
        _timer = new ConsumerTimer(this);
        if (log is not null) log.CompactionDue = new JournalCompaction(this, log).Start;
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public bool IsInternal => Config.Direct;

    /// <summary>The registry of the consumer.</summary>
    public IConsumerOwner Owner { get; }

    /// <summary>The stream.</summary>
    public MessageStream Stream { get; }

    /// <summary>The configuration; replaced as a whole.</summary>
    public ConsumerConfig Config { get; internal set; }

    /// <summary>When it was created.</summary>
    public DateTimeOffset Created { get; }

    /// <summary>Its subscriptions, managed by the engine.</summary>
    public List<Subscription> Subscriptions { get; } = [];

    /// <summary>Whether it has ended.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>The prefix of its acknowledgement subjects.</summary>
    internal ReadOnlySpan<byte> AckPrefix => _replyWriter.Prefix;

    internal DeliveryTracker Tracker { get; }

    internal MessageCursor Cursor { get; }

    internal PullRequestQueue? Pulls { get; }

    internal PushFlowControl? Push { get; }

    internal DeliveryThrottle Throttle { get; }

    internal ConsumerAdvisories Advisories { get; }

    internal PublishQueue Queue { get; }

    internal ConsumerTimer Timer => _timer;

    internal SubjectTree<Subscription> Tree => Stream.Services.Subscriptions;

    internal long Now => Stream.Services.Clock.Now;

    /// <summary>The times of the newest delivery and acknowledgement, in nanoseconds since 1970; 0 = never.</summary>
    internal (long Delivered, long Acknowledged) LastActive { get; set; }

    /// <summary>When the log has to be written at the latest.</summary>
    internal long FlushAt { get; set; } = long.MaxValue;

    /// <summary>Handles a pull request.</summary>
    public void Pull(ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        using (Stream.Gate.Hold())
        {
            if (IsClosed) return;
            if (Pulls is null) Reply(replyTo, StatusHeaders.PushBased);
            else if (!ApiLevel.IsSupported(headers)) Reply(replyTo, StatusHeaders.ApiLevel);
            else if (Pulls.Enqueue(replyTo, payload, Now)) DeliverPendingLocked(batch);
            else _timer.Schedule(Now);
        }
        PublishQueued(batch);
    }

    /// <summary>Ends pull requests because the broker stops.</summary>
    public void EndPulls(SendBatch batch)
    {
        using (Stream.Gate.Hold()) (IsClosed ? null : Pulls)?.EndAll(StatusHeaders.ServerShutdown, withRest: true);
        PublishQueued(batch);
    }

    /// <summary>Handles an acknowledgement. Its consequences are handled once per batch, before its flush.</summary>
    public void Acknowledge(in AckReplySubject ack, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> replyTo, SendBatch batch)
    {
        var kind = AckPayload.Read(payload, out var rest);
        using (Stream.Gate.Hold())
        {
            if (IsClosed) return;
            // The clock is read once for all acknowledgements of one read.
            var now = ReferenceEquals(_stepBatch, batch) ? _stepStarted : _stepStarted = Now;
            _timer.RecordActivity(now);
            if (AckProcessor.Process(this, in ack, kind, rest, now) && !replyTo.IsEmpty && kind != AckKind.Next) Queue.Add(replyTo, [], []);
            if (kind == AckKind.Next) RequestNext(replyTo, rest, now);
            if (ReferenceEquals(_stepBatch, batch)) return;
            _stepBatch = batch;
        }
        batch.BeforeFlush(this);
    }

    /// <summary>Handles the response to a flow control message.</summary>
    public void OnFlowControlReply(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, SendBatch batch)
    {
        using (Stream.Gate.Hold())
        {
            if (IsClosed || Push is null || !Push.OnReply(subject)) return;
            if (Config.AckPolicy == AckPolicy.FlowControl) AckProcessor.ProcessFlowControl(this, headers, Now);
            DeliverPendingLocked(batch);
        }
        PublishQueued(batch);
    }

    /// <inheritdoc/>
    public void BeforeFlush(SendBatch batch)
    {
        try
        {
            using (Stream.Gate.Hold())
            {
                if (ReferenceEquals(_stepBatch, batch)) _stepBatch = null;
                if (IsClosed) return;
                CommitLocked();
                DeliverPendingLocked(batch);
            }
            PublishQueued(batch);
        }
        catch (Exception error)
        {
            OnFailed(error);
        }
    }

    /// <inheritdoc/>
    public void OnStored(ulong first, ulong last, SendBatch batch)
    {
        if (_hasDemand) Run(batch);
    }

    /// <summary>Runs a delivery pass.</summary>
    public void Run(SendBatch batch)
    {
        using (Stream.Gate.Hold())
        {
            if (IsClosed) return;
            DeliverPendingLocked(batch);
        }
        PublishQueued(batch);
    }

    /// <summary>Schedules a delivery pass on the thread pool.</summary>
    public void Schedule()
    {
        if (Interlocked.Exchange(ref _isScheduled, true)) return;
        Owner.OnWorkScheduled();
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <inheritdoc/>
    public void Execute()
    {
        Volatile.Write(ref _isScheduled, false);
        try
        {
            Stream.YieldToPriorityWaiters();
            Stream.Services.Batches.Run(this, static (consumer, batch) => consumer.Run(batch));
        }
        catch (Exception error)
        {
            OnFailed(error);
        }
        finally
        {
            Owner.OnWorkCompleted();
        }
        // After a pass that was ended by its time, not its work: the connections' threads continue first.
        if (Volatile.Read(ref _isScheduled)) Thread.Yield();
    }

    /// <inheritdoc/>
    public bool Fits(ConsumerLimits limits)
        => (limits.InactiveThreshold <= TimeSpan.Zero || (TimeSpan)Config.InactiveThreshold <= limits.InactiveThreshold)
            && (limits.MaxAckPending <= 0 || Config.MaxAckPending <= limits.MaxAckPending);

    /// <inheritdoc/>
    public bool HasInterest(ReadOnlySpan<byte> subject) => !IsClosed && Cursor.Filter.Matches(subject);

    /// <inheritdoc/>
    public bool NeedsAck(ulong sequence, ReadOnlySpan<byte> subject) => HasInterest(subject) && Tracker.IsUnacknowledged(sequence);

    /// <inheritdoc/>
    public void OnRemoved(ulong sequence, ReadOnlySpan<byte> subject)
    {
        Cursor.OnRemoved(sequence, subject);
        if (Tracker.OpenCount > 0 || Tracker.State.Redelivered.Count > 0) _uncommitted.Add(sequence);
    }

    /// <inheritdoc/>
    public void OnRemovalsCommitted() => _uncommitted.Close();

    /// <inheritdoc/>
    public void OnRemovalsRolledBack()
    {
        _uncommitted.Clear();
        Cursor.Recount();
    }

    /// <inheritdoc/>
    public void OnPurged(ulong firstSequence)
    {
        Tracker.RemoveBelow(firstSequence);
        Cursor.OnPurged(firstSequence);
        Schedule();
    }

    /// <inheritdoc/>
    public void OnStreamUpdated(StreamConfig config, SendBatch batch)
    {
        using (Stream.Gate.Hold()) SetRateLocked();
        Run(batch);
    }

    /// <inheritdoc/>
    public void OnStreamClosed(bool deleted, SendBatch batch)
    {
        using (Stream.Gate.Hold()) CloseLocked(deleted);
        PublishQueued(batch);
        Owner.Remove(this, deleted);
    }

    /// <summary>Logs the exception that ended a piece of work; the next one starts afresh.</summary>
    public void OnFailed(Exception error) => ConsumerLog.Failed(Stream.Services.Logger, error, Stream.Services.AccountName, Stream.Name, Name);

    /// <summary>Starts the consumer.</summary>
    internal void StartLocked()
    {
        Stream.AssertLocked();
        SetRateLocked();
        if (Config.ReplayPolicy == ReplayPolicy.Original) Throttle.Replay(Stream.Store.LastSequence);
        _timer.Start(Now);
    }

    /// <summary>Ends the consumer. The queue is to be published after the lock is released.</summary>
    /// <param name="deleted">Whether it was deleted for good.</param>
    internal void CloseLocked(bool deleted)
    {
        Stream.AssertLocked();
        if (IsClosed) return;
        IsClosed = true;
        _hasDemand = false;
        _timer.Stop();
        if (deleted)
        {
            Advisories.Deleted();
            Pulls?.EndAll(StatusHeaders.ConsumerDeleted);
        }
        else if (_journal is { HasSteps: true })
        {
            _journal.Write();
        }
        if (!deleted && _journal is { HasSteps: false } && Stream.Store.Fault is null) _journal.WriteCopy();
        _journal?.Dispose();
    }

    /// <summary>Publishes the queued messages. The lock is not held.</summary>
    internal void PublishQueued(SendBatch batch)
    {
        if (Queue.Bytes > 0) Queue.Publish(batch);
    }

    /// <summary>The number of messages that were not delivered yet.</summary>
    internal ulong CountPending() => Cursor.CountPending(Stream.VisibleSequence);

    /// <summary>Writes the headers of a heartbeat; returns the number of bytes.</summary>
    internal int WriteHeartbeat(Span<byte> target)
        => StatusHeaders.WriteHeartbeat(target, Tracker.NextConsumer - 1, Tracker.NextStream - 1, Push is null ? default : Push.PendingReply);

    /// <summary>Writes the state to the journal and commits the removals that follow from it.</summary>
    internal void CommitLocked()
    {
        Stream.AssertLocked();
        FlushAt = long.MaxValue;
        if (_journal is { HasSteps: true }) _journal.Write();
        if (!_removedMessages) return;
        _removedMessages = false;
        Stream.CommitRemovalsLocked();
    }

    /// <summary>Releases a message that this consumer no longer needs.</summary>
    internal void ReleaseLocked(ulong sequence)
    {
        if (!Stream.RetainsByInterest) return;
        _removedMessages = true;
        Stream.OnAcknowledgedLocked(this, sequence);
    }

    /// <summary>Releases messages that this consumer no longer needs.</summary>
    internal void ReleaseLocked(ulong first, ulong last)
    {
        if (!Stream.RetainsByInterest) return;
        _removedMessages = true;
        Stream.OnAcknowledgedUpToLocked(this, first, last);
    }

    /// <summary>Sets the rate limit, with the stream's largest message as the burst.</summary>
    internal void SetRateLocked()
        => Throttle.SetRate(Config.RateLimitBitsPerSecond, Stream.Config.MaxMessageBytes > 0 ? Stream.Config.MaxMessageBytes : 1024 * 1024);

    /// <summary>Delivers the messages that can be delivered now.</summary>
    /// <param name="batch">The batch to write to.</param>
    /// <param name="isTimer">Whether the timer caused the pass, so that a heartbeat or the end of a pull may be due.</param>
    internal void DeliverPendingLocked(SendBatch batch, bool isTimer = false)
    {
        Stream.AssertLocked();
        var now = Now;
        Stream.CommitPendingRemovalsLocked();
        Tracker.CollectDue(now);
        Advisories.MaxDeliveriesReached(Tracker.Exhausted);
        var stop = DeliverAvailable(batch, now);
        Advisories.MaxDeliveriesReached(Tracker.Exhausted);
        if (Pulls is { } pulls)
        {
            // One-shot pulls that are held up by open deliveries end at their next heartbeat once they have received messages.
            var isHeldUp = isTimer && stop == DeliveryStop.Full && now >= pulls.WakeAt;
            pulls.ExpireRequests(now, endOfStream: isHeldUp || stop is DeliveryStop.EndOfStream or DeliveryStop.NoInterest, batch);
        }
        if (_removedMessages || (_journal is { HasSteps: true } && now >= FlushAt)) CommitLocked();
        else if (_journal is { HasSteps: true } && FlushAt == long.MaxValue) FlushAt = now + ConsumerTimer.FlushDelay;
        _hasDemand = Push?.IsActive ?? Pulls!.Count > 0;
        batch.Submit();
        _timer.Schedule(now);
        if (stop == DeliveryStop.Unfinished) ContinueWhenWritable();
    }

    private DeliveryStop DeliverAvailable(SendBatch batch, long now)
    {
        // A paused consumer sends heartbeats as long as there is interest.
        Push?.CheckInterest();
        if (_timer.IsPaused(now) || (Push is null ? Pulls!.Count == 0 : !Push.IsActive)) return DeliveryStop.NoInterest;
        var store = Stream.Store;
        var visible = Stream.VisibleSequence;
        var pending = Cursor.CountPending(visible);
        var step = WorkStep.Begin();
        for (var left = MaxPassBytes; left > 0;)
        {
            if (step.EndsAfterPart()) return DeliveryStop.Unfinished;
            if (Push is null ? Pulls!.Count == 0 : Push.IsStalled) return DeliveryStop.NoInterest;
            if (!Tracker.TryPeekRedelivery(out var sequence, out var deliveries))
            {
                if (Tracker.IsFull) return DeliveryStop.Full;
                if (!Cursor.TryFindNext(visible, out sequence)) return DeliveryStop.EndOfStream;
                deliveries = 1;
            }
            if (store.TryRead(sequence, out var message) != StoreStatus.Ok)
            {
                SkipMissing(sequence, deliveries);
                pending = Cursor.CountPending(visible);
                continue;
            }
            if (deliveries == 1 && pending > 0) pending--;
            if (DeliverOne(in message, deliveries, pending, now, batch, ref left) is { } stop) return stop;
        }
        return DeliveryStop.Unfinished;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private DeliveryStop? DeliverOne(in StoredMessage message, ulong deliveries, ulong pending, long now, SendBatch batch, ref int left)
    {
        var reply = _replyWriter.Write(deliveries, message.Sequence, Tracker.NextConsumer, message.Timestamp, pending);
        var headers = message.Headers;
        var payload = message.Payload;
        if (Config.HeadersOnly)
        {
            headers = _headerWriter.HeadersOnly(headers, payload.Length);
            payload = default;
        }
        var bytes = message.Subject.Length + reply.Length + headers.Length + payload.Length;
        if (!Throttle.IsUnlimited && Throttle.ShouldDelay(message.Sequence, message.Timestamp, bytes, now, deliveries == 1)) return DeliveryStop.Delayed;
        left -= bytes;
        if (Push is { } push)
        {
            push.Target.Deliver(message.Subject, reply, headers, payload, Queue, batch);
            Record(message.Sequence, deliveries, now);
            push.OnSent(bytes, now, batch);
            return null;
        }
        if (Pulls!.NextRecipient(bytes, now, batch) is not { } pull) return DeliveryStop.NoInterest;
        if (Pulls.PinId is { } pin) headers = _headerWriter.WithPin(headers, pin);
        pull.Target.Deliver(message.Subject, reply, headers, payload, Queue, batch);
        Record(message.Sequence, deliveries, now);
        Pulls.OnDelivered(pull, now, batch);
        return null;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Record(ulong sequence, ulong deliveries, long now)
    {
        // Before the tracker advances: the cursor still regards the message as the next one.
        if (deliveries == 1) Cursor.Advance(sequence);
        Tracker.Deliver(sequence, deliveries, now);
        LastActive = (now, LastActive.Acknowledged);
        if (Config.AckPolicy == AckPolicy.None) ReleaseLocked(sequence);
    }

    // The message was removed, or its record is damaged: it cannot be delivered.
    private void SkipMissing(ulong sequence, ulong deliveries)
    {
        if (deliveries == 1)
        {
            Cursor.Advance(sequence);
            return;
        }
        Tracker.Acknowledge(sequence, out var open);
        Advisories.Terminated(new AckReplySubject(sequence, open.ConsumerSequence, deliveries - 1), "Unacknowledged message was deleted");
    }

    // An acknowledgement may request the next message.
    private void RequestNext(ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> request, long now)
    {
        if (Pulls is not null) Pulls.Enqueue(replyTo, request, now);
        else if (!replyTo.IsEmpty) Reply(replyTo, StatusHeaders.PushBased);
    }

    private void Reply(ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> status)
    {
        Span<byte> text = stackalloc byte[StatusHeaders.MaxBytes];
        Queue.Add(replyTo, text[..StatusHeaders.Write(text, status)], []);
    }

    private void ContinueWhenWritable()
    {
        var outbox = Push is null ? Pulls!.Fullest() : Push.Target.Fullest();
        if (outbox is not null && outbox.PendingBytes > HighMarkBytes) outbox.WhenBelow(LowMarkBytes, _continueLater);
        else Schedule();
    }
}
