// Hot path: Consumer -> this, per delivery and acknowledgement. Allocations: none once its tables have grown.
using System.Runtime.CompilerServices;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Storage.Consumers;

namespace Postrider.Broker.JetStream.Consumers.Delivery;

/// <summary>Tracks the deliveries of one consumer: the next message, unacknowledged deliveries, redeliveries that are due, and messages that exhausted their deliveries.</summary>
/// <remarks>
/// <para>Pure logic: it knows neither messages nor clients nor timers. Its owner calls <see cref="CollectDue"/> at the time of
/// <see cref="NextDue"/>, and passes the time in nanoseconds since 1970.</para>
/// <para>Every change that must survive a restart is written to the log, if there is one. Not thread-safe.</para>
/// </remarks>
internal sealed class DeliveryTracker
{
    private readonly ConsumerState _state;
    private readonly ConsumerJournal? _journal;
    private readonly AckDeadlineQueue _deadlines;
    private readonly RedeliveryQueue _redeliveries;
    private readonly List<ulong> _found = [];
    private RedeliverySettings _settings;
    private ulong _emptiedBefore;

    /// <summary>Creates a tracker over a consumer's state.</summary>
    /// <param name="state">The consumer's state; with a log, the log's state.</param>
    /// <param name="log">Records the changes, or null.</param>
    /// <param name="settings">The redelivery settings.</param>
    public DeliveryTracker(ConsumerState state, ConsumerJournal? log, RedeliverySettings settings)
    {
        _state = state;
        _journal = log;
        _settings = settings;
        _deadlines = new AckDeadlineQueue(state.Pending);
        _redeliveries = new RedeliveryQueue(state.Pending);
        NextStream = state.DeliveredStream + 1;
        NextConsumer = state.DeliveredConsumer + 1;
        QueueAll();
    }

    /// <summary>The state that is stored.</summary>
    public ConsumerState State => _state;

    /// <summary>The stream sequence from which the next new message is searched.</summary>
    public ulong NextStream { get; set; }

    /// <summary>The number of the next delivery.</summary>
    public ulong NextConsumer { get; private set; }

    /// <summary>The sequence at which a reset consumer restarts by default: after the acknowledged messages, and after the skipped ones
    /// when nothing was open the last time.</summary>
    public ulong RestartStream => Math.Max(_state.AckFloorStream + 1, _emptiedBefore);

    /// <summary>The number of open deliveries.</summary>
    public int OpenCount => _state.Pending.Count;

    /// <summary>The number of deliveries that are due for redelivery.</summary>
    public int RedeliveryCount => _redeliveries.Count;

    /// <summary>Whether no new message may be delivered until something is acknowledged.</summary>
    public bool IsFull => _settings.MaxAckPending > 0 && _state.Pending.Count >= _settings.MaxAckPending;

    /// <summary>When the next open delivery is due for redelivery; <see cref="long.MaxValue"/> for never.</summary>
    public long NextDue => _state.Pending.Count == 0 ? long.MaxValue : _deadlines.NextDue();

    /// <summary>Messages that exhausted their deliveries; the owner reports and clears them.</summary>
    public List<(ulong StreamSequence, ulong Deliveries)> Exhausted { get; } = [];

    /// <summary>The redelivery settings, which may change at any time.</summary>
    public RedeliverySettings Settings
    {
        get => _settings;
        set
        {
            _settings = value;
            QueueAll();
        }
    }

    /// <summary>How often a message was delivered: 1 when it is not tracked.</summary>
    public ulong DeliveriesOf(ulong streamSequence)
        => _state.Redelivered.Count > 0 && _state.Redelivered.TryGetValue(streamSequence, out var again) ? again + 1 : 1;

    /// <summary>The next message to redeliver; messages that exhausted their deliveries are given up on the way.</summary>
    /// <param name="streamSequence">The message's sequence.</param>
    /// <param name="deliveries">The number of its deliveries including this one: 2 or more.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryPeekRedelivery(out ulong streamSequence, out ulong deliveries)
    {
        if (_redeliveries.Count > 0) return TryPeekQueued(out streamSequence, out deliveries);
        (streamSequence, deliveries) = (0, 0);
        return false;
    }

    /// <summary>Records a delivery to a client.</summary>
    /// <param name="streamSequence">The message's sequence.</param>
    /// <param name="deliveries">1 for the first time; otherwise as returned by <see cref="TryPeekRedelivery"/>.</param>
    /// <param name="now">The current time.</param>
    /// <returns>The number of this delivery.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong Deliver(ulong streamSequence, ulong deliveries, long now)
    {
        var number = NextConsumer++;
        var expectsAck = _settings.AckPolicy != AckPolicy.None;
        var slot = _journal is null
            ? _state.Deliver(streamSequence, number, deliveries, now, expectsAck)
            : _journal.Deliver(streamSequence, number, deliveries, now, expectsAck);
        if (deliveries == 1)
        {
            NextStream = Math.Max(NextStream, streamSequence + 1);
        }

        if (expectsAck)
        {
            _redeliveries.Remove(slot);
            _deadlines.Enqueue(slot, _settings.BucketAfter(deliveries));
        }

        return number;
    }

    /// <summary>Whether a sequence was delivered, so that an acknowledgement of it is valid.</summary>
    public bool WasDelivered(ulong streamSequence) => streamSequence != 0 && streamSequence < NextStream;

    /// <summary>Records that one message was processed, whether it is open or not.</summary>
    /// <param name="streamSequence">The message's sequence.</param>
    /// <param name="delivery">The open delivery.</param>
    /// <returns>Whether it was open.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Acknowledge(ulong streamSequence, out PendingDelivery delivery)
    {
        var slot = _state.Pending.Find(streamSequence);
        if (slot == PendingTable.None)
        {
            delivery = default;
            if (_state.Redelivered.ContainsKey(streamSequence))
            {
                Close(streamSequence);
            }

            return false;
        }

        delivery = _state.Pending.At(slot);
        _deadlines.Remove(slot);
        _redeliveries.Remove(slot);
        Close(streamSequence);
        return true;
    }

    /// <summary>Records that every message up to a sequence was processed.</summary>
    /// <param name="streamSequence">The last sequence, inclusive.</param>
    /// <param name="consumerSequence">The number of its delivery, as the client sent it.</param>
    /// <returns>False when that was known already.</returns>
    public bool AcknowledgeUpTo(ulong streamSequence, ulong consumerSequence)
    {
        if (consumerSequence <= _state.AckFloorConsumer || streamSequence <= _state.AckFloorStream)
        {
            return false;
        }

        var pending = _state.Pending;
        for (var slot = pending.Oldest; slot != PendingTable.None && pending.StreamSequenceAt(slot) <= streamSequence; slot = pending.NextOf(slot))
        {
            _deadlines.Remove(slot);
            _redeliveries.Remove(slot);
        }

        if (_journal is null) _state.AcknowledgeUpTo(streamSequence, consumerSequence);
        else _journal.AcknowledgeUpTo(streamSequence, consumerSequence);
        return true;
    }

    /// <summary>Handles a nak: the message is redelivered at once, or after a delay.</summary>
    /// <remarks>As in nats-server, a message that exhausted its deliveries is given up only when the next message is searched.</remarks>
    /// <param name="streamSequence">The message's sequence.</param>
    /// <param name="delay">Nanoseconds; null for at once.</param>
    /// <param name="now">The current time.</param>
    /// <returns>False when it is not open.</returns>
    public bool Nak(ulong streamSequence, long? delay, long now)
    {
        var slot = _state.Pending.Find(streamSequence);
        if (slot == PendingTable.None)
        {
            return false;
        }

        if (delay is { } later)
        {
            _redeliveries.Remove(slot);
            var due = later > long.MaxValue - now ? long.MaxValue : now + later;
            _deadlines.EnqueueAt(slot, due);
            // When the deliveries are queued again, the wait of its bucket is added.
            var wait = _settings.WaitOf(_settings.BucketAfter(DeliveriesOf(streamSequence)));
            Touch(streamSequence, due > wait ? due - wait : 0);
        }
        else if (!_redeliveries.Contains(slot))
        {
            _deadlines.Remove(slot);
            _redeliveries.Add(slot);
        }

        return true;
    }

    /// <summary>Restarts the ack wait of a message that a client is still working on.</summary>
    /// <returns>False when it is not open.</returns>
    public bool ExtendAckWait(ulong streamSequence, long now)
    {
        var slot = _state.Pending.Find(streamSequence);
        if (slot == PendingTable.None)
        {
            return false;
        }

        Touch(streamSequence, now);
        if (!_redeliveries.Contains(slot))
        {
            _deadlines.Enqueue(slot, _settings.BucketAfter(DeliveriesOf(streamSequence)));
        }

        return true;
    }

    /// <summary>Queues the deliveries that are due for redelivery, lowest sequence first.</summary>
    /// <returns>Whether something was due.</returns>
    public bool CollectDue(long now)
    {
        if (_state.Pending.Count == 0 || _deadlines.NextDue() > now)
        {
            return false;
        }

        _found.Clear();
        while (_deadlines.TryDequeue(now, out var slot))
        {
            _found.Add(_state.Pending.StreamSequenceAt(slot));
        }

        _found.Sort();
        foreach (var sequence in _found)
        {
            Requeue(_state.Pending.Find(sequence));
        }

        return true;
    }

    /// <summary>Queues all open deliveries for redelivery, because the client changed.</summary>
    public void RedeliverAll()
    {
        var pending = _state.Pending;
        for (int slot = pending.Oldest, next; slot != PendingTable.None; slot = next)
        {
            next = pending.NextOf(slot);
            if (!_redeliveries.Contains(slot)) Requeue(slot);
        }
    }

    /// <summary>Whether a message of the stream is still needed.</summary>
    /// <remarks>Source: nats-server's rule for interest and work-queue retention; a message that was given up is still needed.</remarks>
    public bool IsUnacknowledged(ulong streamSequence)
    {
        var open = _settings.AckPolicy == AckPolicy.Explicit
            ? streamSequence >= NextStream || _state.Pending.Contains(streamSequence)
            : streamSequence > _state.AckFloorStream;
        return open || _state.Redelivered.ContainsKey(streamSequence);
    }

    /// <summary>Handles the removal of all messages below a sequence.</summary>
    public void RemoveBelow(ulong firstStream)
    {
        NextStream = Math.Max(NextStream, firstStream);
        var pending = _state.Pending;
        var changed = false;
        while (pending.Oldest is var slot && slot != PendingTable.None && pending.StreamSequenceAt(slot) < firstStream)
        {
            _deadlines.Remove(slot);
            _redeliveries.Remove(slot);
            Close(pending.StreamSequenceAt(slot));
            changed = true;
        }

        _found.Clear();
        foreach (var sequence in _state.Redelivered.Keys)
        {
            if (sequence < firstStream) _found.Add(sequence);
        }

        foreach (var sequence in _found) _state.Redelivered.Remove(sequence);
        if (firstStream > 0 && pending.Count == 0 && _state.AckFloorStream < firstStream - 1)
        {
            _state.AckFloorStream = firstStream - 1;
            _state.DeliveredStream = Math.Max(_state.DeliveredStream, firstStream - 1);
            changed = true;
        }

        if (changed) _state.HeldFloor = null;
        if (changed || _found.Count > 0) _journal?.Rewrite();
    }

    /// <summary>Restarts at a stream sequence, with delivery 1.</summary>
    public void Restart(ulong streamSequence)
    {
        _state.StartAfter(streamSequence - 1);
        _journal?.Rewrite();
        (NextStream, _emptiedBefore) = (streamSequence, 0);
        NextConsumer = 1;
        _redeliveries.Clear();
        QueueAll();
    }

    /// <summary>Drops the state of messages beyond the end of the stream, which has lost them.</summary>
    /// <param name="lastStream">The stream's last sequence.</param>
    /// <returns>Whether there was such state.</returns>
    public bool Reconcile(ulong lastStream)
    {
        if (_state.DeliveredStream <= lastStream)
        {
            return false;
        }

        var kept = _state.Pending.All().Where(open => open.StreamSequence <= lastStream).ToArray();
        var again = _state.Redelivered.Where(pair => pair.Key <= lastStream).ToArray();
        var floor = (Stream: Math.Min(_state.AckFloorStream, lastStream), Consumer: _state.AckFloorConsumer);
        var delivered = _state.DeliveredConsumer;
        _state.StartAfter(lastStream);
        _emptiedBefore = 0;
        (_state.AckFloorStream, _state.AckFloorConsumer, _state.DeliveredConsumer) = (floor.Stream, floor.Consumer, delivered);
        foreach (var open in kept) _state.Pending.Add(open);
        foreach (var (sequence, count) in again) _state.Redelivered.Add(sequence, count);
        if (kept.Length == 0) (_state.AckFloorStream, _state.AckFloorConsumer) = (lastStream, delivered);
        _journal?.Rewrite();
        NextStream = lastStream + 1;
        _redeliveries.Clear();
        QueueAll();
        return true;
    }

    private bool TryPeekQueued(out ulong streamSequence, out ulong deliveries)
    {
        while (_redeliveries.Count > 0 && _redeliveries.TryPeek(out var slot))
        {
            streamSequence = _state.Pending.StreamSequenceAt(slot);
            deliveries = DeliveriesOf(streamSequence) + 1;
            if (_settings.MaxDeliver == 0 || deliveries <= _settings.MaxDeliver)
            {
                return true;
            }

            _redeliveries.Remove(slot);
            Exhaust(streamSequence, deliveries - 1);
        }

        (streamSequence, deliveries) = (0, 0);
        return false;
    }

    private void Close(ulong streamSequence)
    {
        var count = OpenCount;
        if (_journal is null) _state.Acknowledge(streamSequence);
        else _journal.Acknowledge(streamSequence);
        NoteIfEmptied(count);
    }

    private void NoteIfEmptied(int countBefore)
    {
        if (countBefore > 0 && OpenCount == 0) _emptiedBefore = NextStream;
    }

    private void Touch(ulong streamSequence, long timestamp)
    {
        if (_journal is null) _state.Touch(streamSequence, timestamp);
        else _journal.Touch(streamSequence, timestamp);
    }

    /// <summary>Queues an open delivery for redelivery, or gives it up if it was the last one allowed.</summary>
    private void Requeue(int slot)
    {
        _deadlines.Remove(slot);
        var sequence = _state.Pending.StreamSequenceAt(slot);
        var deliveries = DeliveriesOf(sequence);
        if (_settings.MaxDeliver == 0 || deliveries < _settings.MaxDeliver)
        {
            _redeliveries.Add(slot);
            return;
        }

        Exhaust(sequence, deliveries);
    }

    private void Exhaust(ulong sequence, ulong deliveries)
    {
        Exhausted.Add((sequence, deliveries));
        var count = OpenCount;
        if (_journal is null) _state.Exhaust(sequence, deliveries);
        else _journal.Exhaust(sequence, deliveries);
        NoteIfEmptied(count);
    }

    /// <summary>Queues all open deliveries again, in the order of their timestamps.</summary>
    private void QueueAll()
    {
        var waiting = new List<int>(_redeliveries.Count);
        while (_redeliveries.TryPeek(out var slot))
        {
            waiting.Add(slot);
            _redeliveries.Remove(slot);
        }

        _redeliveries.Clear();
        _deadlines.Reset(_settings);
        var pending = _state.Pending;
        foreach (var open in pending.All().OrderBy(static open => open.Timestamp).ToArray())
        {
            _deadlines.Enqueue(pending.Find(open.StreamSequence), _settings.BucketAfter(DeliveriesOf(open.StreamSequence)));
        }

        foreach (var slot in waiting)
        {
            _deadlines.Remove(slot);
            _redeliveries.Add(slot);
        }
    }
}
