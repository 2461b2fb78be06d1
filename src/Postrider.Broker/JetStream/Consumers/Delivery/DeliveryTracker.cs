// Hot path: Consumer -> this, per delivery and acknowledgement. Allocations: none once its tables have grown.
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Storage.Consumers;

namespace Postrider.Broker.JetStream.Consumers.Delivery;

/// <summary>The books of one consumer: what is next, what is open, what is due again, what was given up.</summary>
/// <remarks>
/// <para>Pure logic: it knows neither messages nor clients nor timers. Its owner asks <see cref="NextDue"/> when to call
/// <see cref="CollectDue"/>, and tells it the time: nanoseconds since 1970.</para>
/// <para>Every change that must survive goes through the log when there is one. Not thread-safe.</para>
/// </remarks>
internal sealed class DeliveryTracker
{
    private readonly ConsumerState _state;
    private readonly ConsumerJournal? _log;
    private readonly AckDeadlineQueue _due;
    private readonly RedeliveryQueue _again;
    private readonly List<ulong> _found = [];
    private RedeliverySettings _rules;
    private ulong _emptiedBefore;

    /// <summary>Opens the books.</summary>
    /// <param name="state">Where the consumer stands; with a log, the log's state.</param>
    /// <param name="log">Writes the changes down, or null.</param>
    /// <param name="rules">The rules.</param>
    public DeliveryTracker(ConsumerState state, ConsumerJournal? log, RedeliverySettings rules)
    {
        _state = state;
        _log = log;
        _rules = rules;
        _due = new AckDeadlineQueue(state.Pending);
        _again = new RedeliveryQueue(state.Pending);
        NextStream = state.DeliveredStream + 1;
        NextConsumer = state.DeliveredConsumer + 1;
        QueueAll();
    }

    /// <summary>The state that is kept.</summary>
    public ConsumerState State => _state;

    /// <summary>The stream sequence from which new messages are looked for.</summary>
    public ulong NextStream { get; set; }

    /// <summary>The number of the next delivery.</summary>
    public ulong NextConsumer { get; private set; }

    /// <summary>Where a consumer begins again that is not told where: behind what is acknowledged, and behind what was passed over
    /// when nothing was open the last time.</summary>
    public ulong RestartStream => Math.Max(_state.AckFloorStream + 1, _emptiedBefore);

    /// <summary>Open deliveries.</summary>
    public int OpenCount => _state.Pending.Count;

    /// <summary>Deliveries that are to be given again now.</summary>
    public int RedeliveryCount => _again.Count;

    /// <summary>Whether no new message may be given until something is acknowledged.</summary>
    public bool IsFull => _rules.MaxAckPending > 0 && _state.Pending.Count >= _rules.MaxAckPending;

    /// <summary>When the next open delivery is due again; <see cref="long.MaxValue"/> for never.</summary>
    public long NextDue => _state.Pending.Count == 0 ? long.MaxValue : _due.NextDue();

    /// <summary>Messages that had their last delivery without success; the owner reports and clears them.</summary>
    public List<(ulong StreamSequence, ulong Deliveries)> GivenUp { get; } = [];

    /// <summary>The rules, which may change at any time.</summary>
    public RedeliverySettings Rules
    {
        get => _rules;
        set
        {
            _rules = value;
            QueueAll();
        }
    }

    /// <summary>How often a message was delivered: 1 when nothing is known of it.</summary>
    public ulong DeliveriesOf(ulong streamSequence)
        => _state.Redelivered.Count > 0 && _state.Redelivered.TryGetValue(streamSequence, out var again) ? again + 1 : 1;

    /// <summary>The message that is to be given again first; one that had its last delivery is given up instead.</summary>
    /// <param name="streamSequence">Which.</param>
    /// <param name="deliveries">Its number of deliveries with this one: 2 and up.</param>
    public bool TryPeekRedelivery(out ulong streamSequence, out ulong deliveries)
    {
        while (_again.Count > 0 && _again.TryPeek(out var slot))
        {
            streamSequence = _state.Pending.StreamSequenceAt(slot);
            deliveries = DeliveriesOf(streamSequence) + 1;
            if (_rules.MaxDeliver == 0 || deliveries <= _rules.MaxDeliver)
            {
                return true;
            }

            _again.Remove(slot);
            GiveUp(streamSequence, deliveries - 1);
        }

        (streamSequence, deliveries) = (0, 0);
        return false;
    }

    /// <summary>A message is given to a client.</summary>
    /// <param name="streamSequence">Which.</param>
    /// <param name="deliveries">1 for the first time; otherwise as <see cref="TryPeekRedelivery"/> told.</param>
    /// <param name="now">The moment.</param>
    /// <returns>The number of this delivery.</returns>
    public ulong Deliver(ulong streamSequence, ulong deliveries, long now)
    {
        var number = NextConsumer++;
        var expectsAck = _rules.AckPolicy != AckPolicy.None;
        var slot = _log is null
            ? _state.Deliver(streamSequence, number, deliveries, now, expectsAck)
            : _log.Deliver(streamSequence, number, deliveries, now, expectsAck);
        if (deliveries == 1)
        {
            NextStream = Math.Max(NextStream, streamSequence + 1);
        }

        if (expectsAck)
        {
            _again.Remove(slot);
            _due.Enter(slot, _rules.LaneAfter(deliveries));
        }

        return number;
    }

    /// <summary>Whether an acknowledgement can be of something that was delivered.</summary>
    public bool WasDelivered(ulong streamSequence) => streamSequence != 0 && streamSequence < NextStream;

    /// <summary>One message is done, whatever was known of it.</summary>
    /// <param name="streamSequence">Which.</param>
    /// <param name="delivery">What was open.</param>
    /// <returns>Whether it was open.</returns>
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
        _due.Leave(slot);
        _again.Remove(slot);
        Close(streamSequence);
        return true;
    }

    /// <summary>Every message up to one is done.</summary>
    /// <param name="streamSequence">Up to and with this one.</param>
    /// <param name="consumerSequence">The number of its delivery, as the client says.</param>
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
            _due.Leave(slot);
            _again.Remove(slot);
        }

        if (_log is null) _state.AcknowledgeUpTo(streamSequence, consumerSequence);
        else _log.AcknowledgeUpTo(streamSequence, consumerSequence);
        return true;
    }

    /// <summary>A client could not handle a message: it is given again at once, or after a delay.</summary>
    /// <remarks>One that had its last delivery is given up when the next message is asked for, not before: as nats-server does it.</remarks>
    /// <param name="streamSequence">Which.</param>
    /// <param name="delay">Nanoseconds; null for at once.</param>
    /// <param name="now">The moment.</param>
    /// <returns>False when it is not open.</returns>
    public bool Refuse(ulong streamSequence, long? delay, long now)
    {
        var slot = _state.Pending.Find(streamSequence);
        if (slot == PendingTable.None)
        {
            return false;
        }

        if (delay is { } later)
        {
            _again.Remove(slot);
            var due = later > long.MaxValue - now ? long.MaxValue : now + later;
            _due.EnterAt(slot, due);
            Touch(streamSequence, due > _rules.AckWait ? due - _rules.AckWait : 0);
        }
        else if (!_again.Contains(slot))
        {
            _due.Leave(slot);
            _again.Add(slot);
        }

        return true;
    }

    /// <summary>A client still works on a message: the wait begins anew.</summary>
    /// <returns>False when it is not open.</returns>
    public bool Prolong(ulong streamSequence, long now)
    {
        var slot = _state.Pending.Find(streamSequence);
        if (slot == PendingTable.None)
        {
            return false;
        }

        Touch(streamSequence, now);
        if (!_again.Contains(slot))
        {
            _due.Enter(slot, _rules.LaneAfter(DeliveriesOf(streamSequence)));
        }

        return true;
    }

    /// <summary>Queues what is due at a moment for another delivery, lowest sequence first.</summary>
    /// <returns>Whether something was due.</returns>
    public bool CollectDue(long now)
    {
        if (_state.Pending.Count == 0 || _due.NextDue() > now)
        {
            return false;
        }

        _found.Clear();
        while (_due.TryTake(now, out var slot))
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

    /// <summary>Everything open is to be given again at once: the client changed.</summary>
    public void RedeliverAll()
    {
        var pending = _state.Pending;
        for (int slot = pending.Oldest, next; slot != PendingTable.None; slot = next)
        {
            next = pending.NextOf(slot);
            if (!_again.Contains(slot)) Requeue(slot);
        }
    }

    /// <summary>Whether a message of the stream is still wanted.</summary>
    /// <remarks>Source: nats-server's rule for interest and work-queue retention; a message that was given up stays wanted.</remarks>
    public bool Needs(ulong streamSequence)
    {
        var open = _rules.AckPolicy == AckPolicy.Explicit
            ? streamSequence >= NextStream || _state.Pending.Contains(streamSequence)
            : streamSequence > _state.AckFloorStream;
        return open || _state.Redelivered.ContainsKey(streamSequence);
    }

    /// <summary>Everything below a sequence left the stream.</summary>
    public void RemoveBelow(ulong firstStream)
    {
        NextStream = Math.Max(NextStream, firstStream);
        var pending = _state.Pending;
        var changed = false;
        while (pending.Oldest is var slot && slot != PendingTable.None && pending.StreamSequenceAt(slot) < firstStream)
        {
            _due.Leave(slot);
            _again.Remove(slot);
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
        if (changed || _found.Count > 0) _log?.Rewrite();
    }

    /// <summary>Begins again at a stream sequence, with delivery 1.</summary>
    public void Restart(ulong streamSequence)
    {
        _state.StartAfter(streamSequence - 1);
        _log?.Rewrite();
        (NextStream, _emptiedBefore) = (streamSequence, 0);
        NextConsumer = 1;
        _again.Clear();
        QueueAll();
    }

    /// <summary>The stream lost its end: what lies beyond it is forgotten.</summary>
    /// <param name="lastStream">The stream's last sequence.</param>
    /// <returns>Whether something had to be forgotten.</returns>
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
        _log?.Rewrite();
        NextStream = lastStream + 1;
        _again.Clear();
        QueueAll();
        return true;
    }

    private void Close(ulong streamSequence)
    {
        var count = OpenCount;
        if (_log is null) _state.Acknowledge(streamSequence);
        else _log.Acknowledge(streamSequence);
        NoteIfEmptied(count);
    }

    private void NoteIfEmptied(int countBefore)
    {
        if (countBefore > 0 && OpenCount == 0) _emptiedBefore = NextStream;
    }

    private void Touch(ulong streamSequence, long timestamp)
    {
        if (_log is null) _state.Touch(streamSequence, timestamp);
        else _log.Touch(streamSequence, timestamp);
    }

    /// <summary>Queues an open delivery for another one, or gives it up when it had its last.</summary>
    private void Requeue(int slot)
    {
        _due.Leave(slot);
        var sequence = _state.Pending.StreamSequenceAt(slot);
        var deliveries = DeliveriesOf(sequence);
        if (_rules.MaxDeliver == 0 || deliveries < _rules.MaxDeliver)
        {
            _again.Add(slot);
            return;
        }

        GiveUp(sequence, deliveries);
    }

    private void GiveUp(ulong sequence, ulong deliveries)
    {
        GivenUp.Add((sequence, deliveries));
        var count = OpenCount;
        if (_log is null) _state.GiveUp(sequence, deliveries);
        else _log.GiveUp(sequence, deliveries);
        NoteIfEmptied(count);
    }

    /// <summary>Puts everything open into the lists anew, in the order of its timestamps.</summary>
    private void QueueAll()
    {
        var waiting = new List<int>(_again.Count);
        while (_again.TryPeek(out var slot))
        {
            waiting.Add(slot);
            _again.Remove(slot);
        }

        _again.Clear();
        _due.Reset(_rules);
        var pending = _state.Pending;
        foreach (var open in pending.All().OrderBy(static open => open.Timestamp).ToArray())
        {
            _due.Enter(pending.Find(open.StreamSequence), _rules.LaneAfter(DeliveriesOf(open.StreamSequence)));
        }

        foreach (var slot in waiting)
        {
            _due.Leave(slot);
            _again.Add(slot);
        }
    }
}
