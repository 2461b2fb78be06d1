using System.Net;

namespace Postrider.Sockets;

/// <summary>One end of a connection inside the process: the other end reads the sender's chunks in place.</summary>
/// <remarks>Each end reads on a thread of the pool, so that no receiver runs inside another's call.</remarks>
internal sealed class MemoryConnection : Connection, IThreadPoolWorkItem
{
    private readonly Segment[] _arrived = new Segment[8];
    private MemoryConnection _other = null!;
    private ReceiveBuffer _buffer;
    private int _arrivedCount;
    private int _signals;
    private bool _isUnfinished;
    private volatile bool _otherClosed;
    private volatile bool _reads;

    private MemoryConnection(SendBatchSet batches, TimeProvider time, EndPoint? remote = null)
        : base(batches, time) => RemoteEndPoint = remote;

    public override EndPoint? RemoteEndPoint { get; }

    public override EndPoint? LocalEndPoint => null;

    public override bool IsInMemory => true;

    /// <summary>Creates both ends.</summary>
    /// <param name="first">The batches that write to the first end's outbox.</param>
    /// <param name="second">The batches that write to the second end's outbox.</param>
    /// <param name="time">The clock of deadlines.</param>
    /// <param name="peer">The address that the second end has as its remote one.</param>
    public static (MemoryConnection First, MemoryConnection Second) CreatePair(SendBatchSet first, SendBatchSet second, TimeProvider time, EndPoint? peer = null)
    {
        var (a, b) = (new MemoryConnection(first, time), new MemoryConnection(second, time, peer));
        (a._other, b._other) = (b, a);
        return (a, b);
    }

    /// <summary>Reads what arrived. Called by the thread pool.</summary>
    public void Execute()
    {
        var seen = Volatile.Read(ref _signals);
        while (true)
        {
            ReadArrived();
            if (_isUnfinished && !IsPaused && !IsClosed)
            {
                // Other work's turn. The signals are kept, so that no other thread queues this end.
                ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
                return;
            }
            var left = Interlocked.Add(ref _signals, -seen);
            if (left == 0) return;
            seen = left;
        }
    }

    internal override TransmitResult Transmit(ReadOnlySpan<Segment> segments, out int sentBytes)
    {
        sentBytes = 0;
        segments.CopyTo(_other._arrived);
        Volatile.Write(ref _other._arrivedCount, segments.Length);
        _other.Signal();
        return TransmitResult.UnderWay;
    }

    internal override void AwaitWritable() => throw new InvalidOperationException("A send inside the process never blocks.");

    private protected override void BeginReading()
    {
        _reads = true;
        Signal();
    }

    private protected override void ReadingChanged()
    {
        if (!IsPaused) Signal();
    }

    private protected override void Shutdown()
    {
        _other._otherClosed = true;
        _other.Signal();
        Signal();
    }

    private void Signal()
    {
        if (Interlocked.Increment(ref _signals) == 1) ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private void ReadArrived()
    {
        var closed = IsClosed;
        if (!closed && (!_reads || IsPaused)) return;
        if (!closed && _isUnfinished)
        {
            Deliver(0);
            // What arrived since then waits: the other side is slowed down.
            if (!IsClosed && (_isUnfinished || IsPaused)) return;
        }
        var count = Volatile.Read(ref _arrivedCount);
        if (count > 0)
        {
            var bytes = 0;
            for (var i = 0; i < count; i++) bytes += (int)_arrived[i].Length;
            if (!closed) Deliver(count);
            Volatile.Write(ref _arrivedCount, 0);
            _other.Outbox.Continue(bytes);
        }
        if (!IsClosed && _otherClosed && Volatile.Read(ref _arrivedCount) == 0) Close(CloseReason.ByPeer, null);
        if (!IsClosed) return;
        _buffer.Release();
        EndReading();
    }

    private unsafe void Deliver(int count)
    {
        var batch = Batches.Rent();
        try
        {
            batch.Begin();
            if (_isUnfinished) _buffer.ReceiveKept(0, Receiver!, batch);
            for (var i = 0; i < count && !IsClosed; i++)
                _buffer.Receive(new ReadOnlySpan<byte>((void*)_arrived[i].Address, (int)_arrived[i].Length), Receiver!, batch);
        }
        catch (Exception fault)
        {
            batch.DropIncomplete();
            Close(CloseReason.ReceiverFault, fault);
        }
        finally
        {
            batch.End(this);
            _isUnfinished = batch.ShouldYield;
            Batches.Return(batch);
        }
    }
}
