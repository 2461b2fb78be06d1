// Hot path: MessageStream, AckRouter and clients' pulls -> this -> DeliveryTarget. Allocations: none per message.
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

/// <summary>One consumer of a stream: gives its messages to clients and keeps the books.</summary>
/// <remarks>
/// <para>Thread-safe. All state is guarded by the stream's lock; public members take it, internal ones are called with it held. There
/// is no thread of its own: whoever brings work (a publish, a pull, an acknowledgement, the timer) makes a delivery pass, which
/// writes frames into clients' lanes under the lock and hands them to the outboxes before it leaves, so order is kept.</para>
/// <para>A pass is bounded; what is left is continued on the thread pool, and not before the client's outbox has room.</para>
/// <para>Source: nats-server's <c>consumer.go</c>.</para>
/// </remarks>
internal sealed class Consumer : IStreamConsumer, IFlushCallback, IThreadPoolWorkItem
{
    // What one pass may write before others get the lock: a few hundred microseconds.
    private const int MaxPassBytes = 512 * 1024;

    // Above this a client's outbox is full enough; below the second it is filled again.
    private const long HighMarkBytes = 4 * 1024 * 1024;
    private const long LowMarkBytes = 2 * 1024 * 1024;

    private readonly byte[] _reply;
    private readonly int _replyPrefix;
    private readonly ConsumerJournalWriter? _log;
    private readonly ConsumerTimer _life;
    private readonly DeliveryHeaderWriter _dress = new();
    private readonly UncommittedRemovals _removed;
    private readonly Action _continueLater;
    private SendBatch? _stepOf;
    private long _stepBegan;
    private bool _removedMessages;
    private volatile bool _isHungry;
    private bool _isScheduled;

    /// <summary>Makes a consumer that does nothing yet: see <see cref="Start"/>.</summary>
    public Consumer(
        ConsumerRegistry engine, MessageStream stream, string name, ConsumerConfig config, DateTimeOffset created, ConsumerJournal? log, ConsumerState state)
    {
        Engine = engine;
        Stream = stream;
        Name = name;
        Config = config;
        Created = created;
        _log = log is null ? null : new ConsumerJournalWriter(this, log);
        Queue = new PublishQueue(Tree, stream.Gate);
        Events = new ConsumerAdvisories(stream.Account, stream.Name, name, Queue);
        Ledger = new DeliveryTracker(state, log, config.ToRules());
        Cursor = new MessageCursor(stream.Store, Ledger);
        Cursor.SetFilter(config.Filters);
        Pace = new DeliveryThrottle();
        _removed = new UncommittedRemovals(this);
        _reply = [.. AckReplySubject.Prefix(stream.Name, name), .. new byte[AckReplySubject.MaxNumbersBytes]];
        _replyPrefix = _reply.Length - AckReplySubject.MaxNumbersBytes;
        _continueLater = Schedule;
        if (config.IsPull) Pulls = new PullRequestQueue(this, (int)Math.Min(config.MaxWaiting, int.MaxValue));
        else Push = new PushFlowControl(this, config);
        _life = new ConsumerTimer(this);
        if (log is not null) log.CompactionDue = new JournalCompaction(this, log).Start;
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public bool IsInternal => Config.Direct;

    /// <summary>Where it is registered.</summary>
    public ConsumerRegistry Engine { get; }

    /// <summary>The stream.</summary>
    public MessageStream Stream { get; }

    /// <summary>What it does; replaced as a whole.</summary>
    public ConsumerConfig Config { get; internal set; }

    /// <summary>When it was made.</summary>
    public DateTimeOffset Created { get; }

    /// <summary>Its subscriptions, which the engine keeps.</summary>
    public List<Subscription> Subscriptions { get; } = [];

    /// <summary>Whether it ended.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>What the subjects of its acknowledgements begin with.</summary>
    internal ReadOnlySpan<byte> AckPrefix => _reply.AsSpan(0, _replyPrefix);

    internal DeliveryTracker Ledger { get; }

    internal MessageCursor Cursor { get; }

    internal PullRequestQueue? Pulls { get; }

    internal PushFlowControl? Push { get; }

    internal DeliveryThrottle Pace { get; }

    internal ConsumerAdvisories Events { get; }

    internal PublishQueue Queue { get; }

    internal ConsumerTimer Life => _life;

    internal SubjectTree<Subscription> Tree => Stream.Account.Account.Subscriptions;

    internal long Now => Stream.Account.Engine.Clock.Now;

    /// <summary>When the newest delivery and acknowledgement were, nanoseconds since 1970; 0 = never.</summary>
    internal (long Delivered, long Acknowledged) LastActive { get; set; }

    /// <summary>When the log is written at the latest.</summary>
    internal long FlushAt { get; set; } = long.MaxValue;

    /// <summary>Takes a pull request.</summary>
    public void Pull(ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        lock (Stream.Gate)
        {
            if (IsClosed) return;
            if (Pulls is null) Answer(replyTo, StatusHeaders.PushBased);
            else if (!ApiLevel.IsSupported(headers)) Answer(replyTo, StatusHeaders.ApiLevel);
            else if (Pulls.Receive(replyTo, payload, Now)) Pass(batch);
            else _life.Arm(Now);
        }
        PublishQueued(batch);
    }

    /// <summary>Tells pull requests that the broker stops.</summary>
    public void EndPulls(SendBatch batch)
    {
        lock (Stream.Gate) (IsClosed ? null : Pulls)?.EndAll(StatusHeaders.ServerShutdown, withRest: true);
        PublishQueued(batch);
    }

    /// <summary>Takes an acknowledgement. What follows from it is done once per batch, before its flush.</summary>
    public void Acknowledge(in AckReplySubject ack, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> replyTo, SendBatch batch)
    {
        var kind = AckPayload.Read(payload, out var rest);
        lock (Stream.Gate)
        {
            if (IsClosed) return;
            // One look at the clock for all that one read brings.
            var now = ReferenceEquals(_stepOf, batch) ? _stepBegan : _stepBegan = Now;
            _life.Touch(now);
            if (AckProcessor.Take(this, in ack, kind, rest, now) && !replyTo.IsEmpty && kind != AckKind.Next) Queue.Add(replyTo, [], []);
            if (kind == AckKind.Next) Pulls?.Receive(replyTo, rest, now);
            if (ReferenceEquals(_stepOf, batch)) return;
            _stepOf = batch;
        }
        batch.BeforeFlush(this);
    }

    /// <summary>Takes the answer to a flow control.</summary>
    public void FlowControlAnswered(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, SendBatch batch)
    {
        lock (Stream.Gate)
        {
            if (IsClosed || Push is null || !Push.Answered(subject)) return;
            if (Config.AckPolicy == AckPolicy.FlowControl) AckProcessor.TakeFlowControl(this, headers, Now);
            Pass(batch);
        }
        PublishQueued(batch);
    }

    /// <inheritdoc/>
    public void BeforeFlush(SendBatch batch)
    {
        try
        {
            lock (Stream.Gate)
            {
                if (ReferenceEquals(_stepOf, batch)) _stepOf = null;
                if (IsClosed) return;
                Commit();
                Pass(batch);
            }
            PublishQueued(batch);
        }
        catch (Exception error)
        {
            Failed(error);
        }
    }

    /// <inheritdoc/>
    public void Stored(ulong first, ulong last, SendBatch batch)
    {
        if (_isHungry) Run(batch);
    }

    /// <summary>Makes a delivery pass.</summary>
    public void Run(SendBatch batch)
    {
        lock (Stream.Gate)
        {
            if (IsClosed) return;
            Pass(batch);
        }
        PublishQueued(batch);
    }

    /// <summary>Makes a delivery pass soon, on another thread.</summary>
    public void Schedule()
    {
        if (Interlocked.Exchange(ref _isScheduled, true)) return;
        Engine.WorkScheduled();
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <inheritdoc/>
    public void Execute()
    {
        Volatile.Write(ref _isScheduled, false);
        try
        {
            Stream.Account.Engine.Batches.Run(this, static (consumer, batch) => consumer.Run(batch));
        }
        catch (Exception error)
        {
            Failed(error);
        }
        finally
        {
            Engine.WorkEnded();
        }
    }

    /// <inheritdoc/>
    public bool HasInterest(ReadOnlySpan<byte> subject) => !IsClosed && Cursor.Filter.Matches(subject);

    /// <inheritdoc/>
    public bool NeedsAck(ulong sequence, ReadOnlySpan<byte> subject) => HasInterest(subject) && Ledger.Needs(sequence);

    /// <inheritdoc/>
    public void Removed(ulong sequence, ReadOnlySpan<byte> subject)
    {
        Cursor.Removed(sequence, subject);
        if (Ledger.OpenCount > 0 || Ledger.State.Redelivered.Count > 0) _removed.Add(sequence);
    }

    /// <inheritdoc/>
    public void RemovalsCommitted() => _removed.Close();

    /// <inheritdoc/>
    public void RemovalsUndone()
    {
        _removed.Clear();
        Cursor.Recount();
    }

    /// <inheritdoc/>
    public void Purged(ulong firstSequence)
    {
        Ledger.RemoveBelow(firstSequence);
        Cursor.Purged(firstSequence);
        Schedule();
    }

    /// <inheritdoc/>
    public void StreamUpdated(StreamConfig config, SendBatch batch)
    {
        lock (Stream.Gate) SetRate();
        Run(batch);
    }

    /// <inheritdoc/>
    public void StreamEnded(bool deleted, SendBatch batch)
    {
        lock (Stream.Gate) Close(deleted);
        PublishQueued(batch);
        Engine.Forget(this, deleted);
    }

    /// <summary>Reports what ended a piece of work; the next one begins afresh.</summary>
    public void Failed(Exception error) => ConsumerLog.Failed(Stream.Account.Engine.Logger, error, Stream.Account.Account.Name, Stream.Name, Name);

    /// <summary>Begins to work. The lock is held.</summary>
    internal void Start()
    {
        SetRate();
        if (Config.ReplayPolicy == ReplayPolicy.Original) Pace.Replay(Stream.Store.LastSequence);
        _life.Start(Now);
    }

    /// <summary>Ends. The lock is held; the queue is to be published after it.</summary>
    /// <param name="deleted">Whether it does not come back.</param>
    internal void Close(bool deleted)
    {
        if (IsClosed) return;
        IsClosed = true;
        _isHungry = false;
        _life.Stop();
        if (deleted)
        {
            Events.Deleted();
            Pulls?.EndAll(StatusHeaders.ConsumerDeleted);
        }
        else if (_log is { HasSteps: true })
        {
            _log.Write();
        }
        if (!deleted && _log is { HasSteps: false } && Stream.Store.Fault is null) _log.WriteCopy();
        _log?.Dispose();
    }

    /// <summary>Publishes what was queued. The lock is not held.</summary>
    internal void PublishQueued(SendBatch batch)
    {
        if (Queue.Bytes > 0) Queue.Publish(batch);
    }

    /// <summary>Messages still to come.</summary>
    internal ulong CountPending() => Cursor.CountPending(Stream.VisibleSequence);

    /// <summary>A heartbeat in its words; returns its bytes.</summary>
    internal int WriteHeartbeat(Span<byte> target)
        => StatusHeaders.WriteHeartbeat(target, Ledger.NextConsumer - 1, Ledger.NextStream - 1, Push is null ? default : Push.AskedAt);

    /// <summary>Writes the books down, and the removals that follow from them.</summary>
    internal void Commit()
    {
        FlushAt = long.MaxValue;
        if (_log is { HasSteps: true }) _log.Write();
        if (!_removedMessages) return;
        _removedMessages = false;
        Stream.CommitRemovals();
    }

    /// <summary>A message is done as far as this consumer goes.</summary>
    internal void Release(ulong sequence)
    {
        if (!Stream.RetainsByInterest) return;
        _removedMessages = true;
        Stream.Acknowledged(this, sequence);
    }

    /// <summary>Messages are done as far as this consumer goes.</summary>
    internal void Release(ulong first, ulong last)
    {
        if (!Stream.RetainsByInterest) return;
        _removedMessages = true;
        Stream.AcknowledgedUpTo(this, first, last);
    }

    /// <summary>Takes the stream's largest message as the burst of a rate.</summary>
    internal void SetRate()
        => Pace.SetRate(Config.RateLimitBitsPerSecond, Stream.Config.MaxMessageBytes > 0 ? Stream.Config.MaxMessageBytes : 1024 * 1024);

    /// <summary>Gives what can be given.</summary>
    /// <param name="batch">Gets it.</param>
    /// <param name="isTimer">Whether it is time for something: a heartbeat or the end of a pull, maybe.</param>
    internal void Pass(SendBatch batch, bool isTimer = false)
    {
        var now = Now;
        Stream.SettleRemovals();
        Ledger.CollectDue(now);
        ReportGivenUp();
        var stop = Deliver(batch, now);
        ReportGivenUp();
        if (Pulls is { } pulls)
        {
            // One-shot pulls held up by open deliveries end at their next heartbeat, when they have got some messages.
            var isHeldUp = isTimer && stop == DeliveryStop.Full && now >= pulls.WakeAt;
            pulls.Sweep(now, endOfStream: isHeldUp || stop is DeliveryStop.NothingLeft or DeliveryStop.NobodyThere, batch);
        }
        if (_removedMessages || (_log is { HasSteps: true } && now >= FlushAt)) Commit();
        else if (_log is { HasSteps: true } && FlushAt == long.MaxValue) FlushAt = now + ConsumerTimer.FlushDelay;
        _isHungry = Push?.IsActive ?? Pulls!.Count > 0;
        batch.Submit();
        _life.Arm(now);
        if (stop == DeliveryStop.Unfinished) ContinueWhenThereIsRoom();
    }

    private DeliveryStop Deliver(SendBatch batch, long now)
    {
        if (_life.IsPaused(now)) return DeliveryStop.NobodyThere;
        if (Push is { } push)
        {
            push.CheckInterest();
            if (!push.IsActive) return DeliveryStop.NobodyThere;
        }
        else if (Pulls!.Count == 0)
        {
            return DeliveryStop.NobodyThere;
        }
        var store = Stream.Store;
        var visible = Stream.VisibleSequence;
        var pending = Cursor.CountPending(visible);
        for (var left = MaxPassBytes; left > 0;)
        {
            if (Push is null ? Pulls!.Count == 0 : Push.IsStalled) return DeliveryStop.NobodyThere;
            if (!Ledger.TryPeekRedelivery(out var sequence, out var deliveries))
            {
                if (Ledger.IsFull) return DeliveryStop.Full;
                if (!Cursor.TryFindNext(visible, out sequence)) return DeliveryStop.NothingLeft;
                deliveries = 1;
            }
            if (store.TryRead(sequence, out var message) != StoreStatus.Ok)
            {
                PassOver(sequence, deliveries);
                pending = Cursor.CountPending(visible);
                continue;
            }
            if (deliveries == 1 && pending > 0) pending--;
            if (!Give(in message, deliveries, pending, now, batch, ref left)) return DeliveryStop.NobodyThere;
        }
        return DeliveryStop.Unfinished;
    }

    private bool Give(in StoredMessage message, ulong deliveries, ulong pending, long now, SendBatch batch, ref int left)
    {
        var replyBytes = _replyPrefix
            + AckReplySubject.WriteNumbers(_reply.AsSpan(_replyPrefix), deliveries, message.Sequence, Ledger.NextConsumer, message.Timestamp, pending);
        var reply = _reply.AsSpan(0, replyBytes);
        var headers = message.Headers;
        var payload = message.Payload;
        if (Config.HeadersOnly)
        {
            headers = _dress.HeadersOnly(headers, payload.Length);
            payload = default;
        }
        var bytes = message.Subject.Length + replyBytes + headers.Length + payload.Length;
        if (!Pace.IsFree && deliveries == 1 && Pace.MustWait(message.Sequence, message.Timestamp, bytes, now)) return false;
        left -= bytes;
        if (Push is { } push)
        {
            push.Target.Deliver(message.Subject, reply, headers, payload, Queue, batch);
            Record(message.Sequence, deliveries, now);
            push.Sent(bytes, now, batch);
            return true;
        }
        if (Pulls!.Next(bytes, now, batch) is not { } pull) return false;
        if (Pulls.PinId is { } pin) headers = _dress.WithPin(headers, pin);
        pull.Target.Deliver(message.Subject, reply, headers, payload, Queue, batch);
        Record(message.Sequence, deliveries, now);
        Pulls.Served(pull, now, batch);
        return true;
    }

    private void Record(ulong sequence, ulong deliveries, long now)
    {
        // Before the ledger moves on: the cursor knows the message as the next one.
        if (deliveries == 1) Cursor.Passed(sequence);
        Ledger.Deliver(sequence, deliveries, now);
        LastActive = (now, LastActive.Acknowledged);
        if (Config.AckPolicy == AckPolicy.None) Release(sequence);
    }

    // The message left, or its record is damaged: there is nothing to give.
    private void PassOver(ulong sequence, ulong deliveries)
    {
        if (deliveries == 1)
        {
            Cursor.Passed(sequence);
            return;
        }
        Ledger.Acknowledge(sequence, out var open);
        Events.Terminated(new AckReplySubject(sequence, open.ConsumerSequence, deliveries - 1), "Unacknowledged message was deleted");
    }

    private void ReportGivenUp()
    {
        if (Ledger.GivenUp.Count == 0) return;
        foreach (var (sequence, deliveries) in Ledger.GivenUp) Events.GivenUp(sequence, deliveries);
        Ledger.GivenUp.Clear();
    }

    private void Answer(ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> status)
    {
        Span<byte> text = stackalloc byte[StatusHeaders.MaxBytes];
        Queue.Add(replyTo, text[..StatusHeaders.Write(text, status)], []);
    }

    private void ContinueWhenThereIsRoom()
    {
        var outbox = Push is null ? Pulls!.Fullest() : Push.Target.Fullest();
        if (outbox is not null && outbox.PendingBytes > HighMarkBytes) outbox.WhenBelow(LowMarkBytes, _continueLater);
        else Schedule();
    }
}
