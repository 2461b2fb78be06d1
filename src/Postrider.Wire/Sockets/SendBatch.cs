// Hot path: Connection.ReceiveLoop -> IReceiver -> this -> OutboxLane, Outbox. Allocations: none once its lanes exist.
using System.Runtime.CompilerServices;

namespace Postrider.Wire.Sockets;

/// <summary>
/// Everything that one read of one connection causes to be sent: for each touched outbox a lane of bytes, which only
/// this batch writes, without a lock. One flush hands every lane to its outbox and sends.
/// </summary>
/// <remarks>
/// Used by one thread at a time. An epoll loop owns one for good; the other engines rent one per read from the
/// <see cref="SendBatchSet"/>. Between two reads a batch is empty.
/// </remarks>
public sealed class SendBatch
{
    // What all lanes together may hold before an early flush: bounds the memory of a publish to very many.
    private const int MaxUnflushedBytes = 8 * 1024 * 1024;

    // What one read may cause before the other connections of its thread have their turn: a few milliseconds.
    private const int MaxDeliveries = 256 * 1024;

    private OutboxLane[] _touched = new OutboxLane[16];
    private int _touchedCount;
    private IBatchStep[] _steps = [];
    private int _stepCount;
    private long _unflushedBytes;
    private long _deliveries;
    private long _epoch;

    internal SendBatch(SendBatchSet set, int index)
    {
        Set = set;
        Index = index;
        Random = new Random(unchecked((index * 7919) + Environment.TickCount));
    }

    /// <summary>The batch's place in its set, 0 and up: the index of per-batch state kept elsewhere.</summary>
    public int Index { get; }

    /// <summary>The set that shares its outboxes with this batch.</summary>
    public SendBatchSet Set { get; }

    /// <summary>Randomness for whoever holds the batch: picks among the members of a queue group.</summary>
    public Random Random { get; }

    /// <summary>State that the protocol above keeps per batch, such as its cache of matches.</summary>
    public object? Tag { get; set; }

    /// <summary>Whether the read has caused so much that the receiver is to return before its input's end; it is then called again, with
    /// the rest and whatever was received behind it, when the other connections have had their turn.</summary>
    public bool HasEnough { get; private set; }

    /// <summary>Whether the lanes together hold so much that they are to be flushed at the next message's end.</summary>
    internal bool IsFull { get; private set; }

    /// <summary>Odd while the batch may hold unflushed bytes.</summary>
    internal long Epoch => Volatile.Read(ref _epoch);

    /// <summary>Marks the start of a read.</summary>
    internal void Begin()
    {
        HasEnough = false;
        _deliveries = 0;
        Interlocked.Increment(ref _epoch);
    }

    /// <summary>Flushes and marks the end of a read.</summary>
    /// <param name="source">The connection that was read: it is paused while an outbox it wrote to is too full.</param>
    internal void End(Connection? source)
    {
        if (_touchedCount > 0 || _stepCount > 0) Flush(source);
        Interlocked.Increment(ref _epoch);
    }

    /// <summary>Counts deliveries, made or tried, of one message to many: enough of them set <see cref="HasEnough"/>.</summary>
    /// <param name="deliveries">0 and up.</param>
    public void Count(int deliveries)
    {
        _deliveries += deliveries;
        if (_deliveries > MaxDeliveries) HasEnough = true;
    }

    /// <summary>Sets <see cref="HasEnough"/>: the receiver wants to return before its input's end.</summary>
    public void Stop() => HasEnough = true;

    /// <summary>Has something done once, before the batch's lanes are flushed at its end.</summary>
    /// <param name="step">May write to lanes of the batch and add steps.</param>
    public void BeforeFlush(IBatchStep step)
    {
        if (_stepCount == _steps.Length) Array.Resize(ref _steps, Math.Max(4, _stepCount * 2));
        _steps[_stepCount++] = step;
    }

    /// <summary>Hands every touched lane to its outbox, so that what another batch writes later comes behind it.</summary>
    public void Submit()
    {
        for (var i = 0; i < _touchedCount; i++) _touched[i].Submit();
    }

    /// <summary>Hands every touched lane to its outbox and sends what can be sent now.</summary>
    /// <param name="source">The connection that caused the bytes, or null; paused while an outbox is above its high mark.</param>
    public void Flush(Connection? source)
    {
        if (_stepCount > 0) TakeSteps();
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
    /// Takes back what was written of a message that was not completed: whoever wrote it threw, and the other side
    /// must not read the next frame as the rest of this one.
    /// </summary>
    internal void DropIncomplete()
    {
        for (var i = 0; i < _touchedCount; i++) _touched[i].DropIncomplete();
    }

    /// <summary>
    /// Waits until what other batches had matched before this call has reached its outboxes: a fence between an
    /// unsubscribe and the PONG that tells the client that no more will come.
    /// </summary>
    /// <remarks>Flushes this batch first and counts as idle meanwhile, so two fences never wait for each other.</remarks>
    public void Fence()
    {
        Flush(null);
        Interlocked.Increment(ref _epoch);
        Set.AwaitOthers(this);
        Interlocked.Increment(ref _epoch);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void Touch(OutboxLane lane)
    {
        if (_touchedCount == _touched.Length) Array.Resize(ref _touched, _touchedCount * 2);
        _touched[_touchedCount++] = lane;
    }

    internal void Grew(int bytes)
    {
        _unflushedBytes += bytes;
        if (_unflushedBytes > MaxUnflushedBytes) IsFull = true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void TakeSteps()
    {
        // A step may add steps: a stored message is delivered to a subject that another stream stores.
        for (var i = 0; i < _stepCount; i++)
        {
            var step = _steps[i];
            _steps[i] = null!;
            step.BeforeFlush(this);
        }
        _stepCount = 0;
    }

    // The lanes stay on the list: the end of the batch looks at their outboxes' high marks.
    internal void FlushEarly()
    {
        for (var i = 0; i < _touchedCount; i++) _touched[i].SubmitAndSend();
        _unflushedBytes = 0;
        IsFull = false;
        HasEnough = true;
    }
}
