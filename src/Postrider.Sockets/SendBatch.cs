// Hot path: EpollLoop, ReceiveBuffer -> IReceiver -> this -> SendLane, Outbox. Allocations: none once its lanes exist.
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Postrider.Sockets;

/// <summary>
/// Everything that one read of one connection causes to be sent: for each touched outbox a lane of bytes, to which only
/// this batch writes, without a lock. One flush submits every lane to its outbox and sends.
/// </summary>
/// <remarks>
/// Used by one thread at a time. An epoll loop owns one permanently; the other engines rent one per read from the
/// <see cref="SendBatchSet"/>. Between two reads a batch is empty.
/// </remarks>
public sealed class SendBatch
{
    // Maximum number of bytes in all lanes before an early flush: bounds the memory of a publish to very many subscribers.
    private const int MaxUnflushedBytes = 8 * 1024 * 1024;

    // Maximum work of one read before the other connections of its thread have their turn: a few milliseconds.
    private const int MaxDeliveries = 256 * 1024;

    // Work between two checks of the clock, in deliveries: about ten microseconds. A call of a service, such as storing
    // a message, counts as an eighth of it, and 128 bytes that are stored or sent as one.
    private const int WorkPerLook = 256;
    private const int WorkPerCall = 32;
    private const int BytesPerStep = 128;

    // A connection's turn is half a millisecond: a few connections that send much delay the others by a few turns. One that has
    // taken an eighth of it by the last check of the clock is not read beside those that cost little.
    private const int TurnsPerSecond = 2000;
    private const int TurnsPerCostly = 8;

    // Number of added callbacks that run at once. A stored message that a consumer delivers to
    // a second stream, whose consumer delivers to a client, is two of them; messages in a cycle have no last one.
    private const int MinDeferredCallbacks = 4;

    // Further callbacks run until this time has passed; then other connections have their turn.
    private static readonly long DeferredTicks = Stopwatch.Frequency / 1000;

    private readonly Queue<IFlushCallback> _deferred = new();
    private SendLane[] _touched = new SendLane[16];
    private int _touchedCount;
    private IFlushCallback[] _callbacks = [];
    private int _callbackCount;
    private int _callbacksRun;
    private long _unflushedBytes;
    private long _deliveries;
    private long _epoch;
    private long _turnEnds;
    private int _work;

    internal SendBatch(SendBatchSet set, int index)
    {
        Set = set;
        Index = index;
        TurnTicks = set.Time.TimestampFrequency / TurnsPerSecond;
        Random = new Random(unchecked((index * 7919) + Environment.TickCount));
    }

    /// <summary>The batch's index in its set, from 0: the index of per-batch state kept elsewhere.</summary>
    public int Index { get; }

    /// <summary>The set that shares its outboxes with this batch.</summary>
    public SendBatchSet Set { get; }

    /// <summary>Random numbers for the owner of the batch, for example to pick a member of a queue group.</summary>
    public Random Random { get; }

    /// <summary>State that the protocol above keeps per batch, such as its cache of matches.</summary>
    public object? Tag { get; set; }

    /// <summary>Whether the read has caused so much work that the receiver should return before the end of its input; it is then called again, with
    /// the rest and the bytes received since, after other connections have had their turn.</summary>
    public bool ShouldYield { get; private set; }

    /// <summary>Whether <see cref="RunDeferredCallbacks"/> has callbacks to run after other connections have had their turn.</summary>
    internal bool IsUnfinished => _deferred.Count > 0;

    /// <summary>The length of a turn, by the clock of <see cref="Set"/>.</summary>
    internal long TurnTicks { get; }

    /// <summary>Whether the read has taken a considerable part of a turn.</summary>
    internal bool WasCostly { get; private set; }

    /// <summary>Whether the lanes hold enough bytes to be flushed at the end of the next message.</summary>
    internal bool IsFull { get; private set; }

    /// <summary>Odd while the batch may hold unflushed bytes.</summary>
    internal long Epoch => Volatile.Read(ref _epoch);

    /// <summary>Marks the start of a read.</summary>
    /// <param name="turnEnds">When its turn ends, by the clock of <see cref="Set"/>; 0 for one turn after the first check of the clock.</param>
    internal void Begin(long turnEnds = 0)
    {
        ShouldYield = false;
        WasCostly = false;
        _deliveries = 0;
        _turnEnds = turnEnds;
        _work = 0;
        Interlocked.Increment(ref _epoch);
    }

    /// <summary>Flushes and marks the end of a read.</summary>
    /// <param name="source">The connection that was read; it is paused while an outbox it wrote to is too full.</param>
    internal void End(Connection? source)
    {
        if (_touchedCount > 0 || _callbackCount > 0) Flush(source);
        Interlocked.Increment(ref _epoch);
    }

    /// <summary>Counts attempted deliveries of one message; enough of them set <see cref="ShouldYield"/>.</summary>
    /// <param name="deliveries">0 or more.</param>
    public void Count(int deliveries)
    {
        _deliveries += deliveries;
        if (_deliveries > MaxDeliveries) ShouldYield = true;
        CountWork(deliveries);
    }

    /// <summary>Counts work other than deliveries; after enough of it the clock is checked.</summary>
    /// <param name="steps">0 or more; a step takes about as long as a delivery.</param>
    public void CountWork(int steps)
    {
        _work += steps;
        if (_work >= WorkPerLook) LookAtClock();
    }

    /// <summary>Counts a call of a service or a frame of similar cost; after a few of them the clock is checked.</summary>
    /// <param name="bytes">The bytes that it reads; 0 if they are few.</param>
    public void CountCall(int bytes = 0) => CountWork(WorkPerCall + (bytes / BytesPerStep));

    /// <summary>Checks the clock, and sets <see cref="ShouldYield"/> when the read's turn is over.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void LookAtClock()
    {
        _work = 0;
        var now = Set.Time.GetTimestamp();
        if (_turnEnds == 0) _turnEnds = now + TurnTicks;
        else if (now >= _turnEnds) ShouldYield = true;
        if (now >= _turnEnds - TurnTicks + (TurnTicks / TurnsPerCostly)) WasCostly = true;
    }

    /// <summary>Sets <see cref="ShouldYield"/> because the receiver wants to return before the end of its input.</summary>
    public void RequestYield() => ShouldYield = true;

    /// <summary>Registers a callback that runs once before the batch's lanes are flushed at its end.</summary>
    /// <param name="callback">May write to lanes of the batch and add callbacks; callbacks added by those may run a little later, with the
    /// same batch, after other connections have had their turn.</param>
    public void BeforeFlush(IFlushCallback callback)
    {
        if (_callbackCount == _callbacks.Length) Array.Resize(ref _callbacks, Math.Max(4, _callbackCount * 2));
        _callbacks[_callbackCount++] = callback;
    }

    /// <summary>Submits every touched lane to its outbox, so that bytes written later by another batch follow.</summary>
    public void Submit()
    {
        for (var i = 0; i < _touchedCount; i++) _touched[i].Submit();
    }

    /// <summary>Submits every touched lane to its outbox and sends as much as possible.</summary>
    /// <param name="source">The connection that caused the bytes, or null; paused while an outbox is above its high mark.</param>
    public void Flush(Connection? source)
    {
        if (_callbackCount > 0) RunFlushCallbacks();
        if (_touchedCount > 1 && source is not null) MoveToEnd(source.Outbox);
        for (var i = 0; i < _touchedCount; i++)
        {
            var lane = _touched[i];
            _touched[i] = null!;
            var outbox = lane.Outbox;
            lane.Finish();
            if (source is not null && outbox.IsAboveHighMark) outbox.Stall(source);
        }
        _touchedCount = 0;
        _unflushedBytes = 0;
        IsFull = false;
    }

    /// <summary>
    /// Discards the written part of a message that was not completed, because its writer threw an exception: the other side
    /// must not read the next frame as the rest of this one.
    /// </summary>
    public void DropIncomplete()
    {
        for (var i = 0; i < _touchedCount; i++) _touched[i].DropIncomplete();
    }

    /// <summary>
    /// Waits until everything that other batches had matched before this call has reached the outboxes: a fence between an
    /// unsubscribe and the PONG after which the client expects no more messages.
    /// </summary>
    /// <remarks>Flushes this batch first and counts as idle meanwhile, so two fences never wait for each other.</remarks>
    public void Fence()
    {
        Flush(null);
        Interlocked.Increment(ref _epoch);
        Set.AwaitOthers(this);
        Interlocked.Increment(ref _epoch);
    }

    // The connection that was read gets its bytes last: when a client receives its PONG or acknowledgement, the messages that it published before
    // are already in the outboxes of the other connections, so no later message can overtake them.
    private void MoveToEnd(Outbox outbox)
    {
        var last = _touchedCount - 1;
        for (var i = 0; i < last; i++)
        {
            if (!ReferenceEquals(_touched[i].Outbox, outbox)) continue;
            (_touched[i], _touched[last]) = (_touched[last], _touched[i]);
            return;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void Touch(SendLane lane)
    {
        if (_touchedCount == _touched.Length) Array.Resize(ref _touched, _touchedCount * 2);
        _touched[_touchedCount++] = lane;
    }

    internal void AddUnflushed(int bytes)
    {
        _unflushedBytes += bytes;
        CountWork(bytes / BytesPerStep);
        if (_unflushedBytes > MaxUnflushedBytes) IsFull = true;
    }

    /// <summary>Runs remaining callbacks for about a millisecond. Between <see cref="Begin"/> and <see cref="End"/>.</summary>
    internal void RunDeferredCallbacks()
    {
        var until = Stopwatch.GetTimestamp() + DeferredTicks;
        for (var left = _deferred.Count; left > 0; left--)
        {
            _deferred.Dequeue().BeforeFlush(this);
            if (Stopwatch.GetTimestamp() > until) break;
        }
        DeferRest();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RunFlushCallbacks()
    {
        // The batch's own callbacks are bounded by what was read.
        var own = _callbackCount;
        while (_callbacksRun < own) RunCallback();
        if (_callbackCount > own) RunAddedCallbacks(own);
        if (_callbacksRun == _callbackCount) _callbacksRun = _callbackCount = 0;
    }

    // A callback may add callbacks: a stored message is delivered to a subject that another stream stores.
    private void RunAddedCallbacks(int own)
    {
        var until = Stopwatch.GetTimestamp() + DeferredTicks;
        while (_callbacksRun < _callbackCount && (_callbacksRun - own < MinDeferredCallbacks || Stopwatch.GetTimestamp() < until)) RunCallback();
        if (_callbacksRun == _callbackCount) return;
        DeferRest();
        // The connection that caused it continues reading when some of the rest is done.
        ShouldYield = true;
    }

    private void RunCallback()
    {
        var callback = _callbacks[_callbacksRun];
        _callbacks[_callbacksRun++] = null!;
        callback.BeforeFlush(this);
    }

    private void DeferRest()
    {
        for (; _callbacksRun < _callbackCount; _callbacksRun++)
        {
            _deferred.Enqueue(_callbacks[_callbacksRun]);
            _callbacks[_callbacksRun] = null!;
        }
        _callbacksRun = _callbackCount = 0;
    }

    // The lanes stay on the list: the end of the batch checks the high marks of their outboxes.
    internal void FlushEarly()
    {
        for (var i = 0; i < _touchedCount; i++) _touched[i].SubmitAndSend();
        _unflushedBytes = 0;
        IsFull = false;
        ShouldYield = true;
    }
}
