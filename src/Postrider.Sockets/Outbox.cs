// Hot path: SendBatch, SendLane -> this -> Connection.Transmit -> socket. Allocations: none (chunks are pooled).
using System.Runtime.CompilerServices;
using Postrider.Memory;

namespace Postrider.Sockets;

/// <summary>The bytes waiting to be sent on one connection: a queue of chunks and at most one sender.</summary>
/// <remarks>
/// Any thread may append; if no thread is sending, the appending thread sends outside the lock. When the system accepts no
/// more bytes, the connection's engine continues later. Bytes appended in one piece stay together.
/// </remarks>
public sealed class Outbox
{
    /// <summary>The default of <see cref="MaxPendingBytes"/>: 64 MiB.</summary>
    public const long DefaultMaxPendingBytes = 64 * 1024 * 1024;

    // Maximum for one system call: 8 x 64 KiB is past the point where more helps.
    private const int MaxSegments = 8;

    // Pieces up to this size are appended to the last chunk if it has room: many small ones would be one system call for eight.
    private const int MaxMovedBytes = 512;

    // A reader that is so far behind is not delayed by a copy; a chunk for each piece would take seven times the memory of pieces of 600 bytes.
    private const int PackedFromBytes = 256 * 1024;
    private const int MaxPackedBytes = 16 * 1024;

    private readonly Connection _connection;

    // Guards the queue, the sender's state, the lanes and the stalled sources.
    private readonly Lock _gate = new();
    private SendLane?[] _lanes = [];
    private List<Connection>? _stalled;
    private Action? _drained;
    private long _drainedBytes;
    private Chunk? _head;
    private Chunk? _tail;
    private long _pendingBytes;
    private long _sentBytes;
    private long _lastProgress;
    private long _writeBegan;
    private long _unfinishedBytes;
    private bool _sending;
    private bool _blocked;
    private bool _closed;
    private bool _closeWhenEmpty;
    private bool _stallReleased;
    private bool _watched;

    internal Outbox(Connection connection, TimeProvider time)
    {
        _connection = connection;
        Time = time;
        MaxPendingBytes = DefaultMaxPendingBytes;
    }

    /// <summary>Maximum number of waiting bytes; more close the connection. Default 64 MiB.</summary>
    public long MaxPendingBytes { get; set; }

    /// <summary>Maximum time in which the other side receives nothing while bytes wait. Default 10 s.</summary>
    public TimeSpan WriteDeadline { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Whether the deadline applies to all bytes pending when a write begins, instead of to any of them. Default false.</summary>
    public bool ClosesPartialWrites { get; set; }

    /// <summary>Whether a full outbox slows down its writers. Default true.</summary>
    public bool StallsProducers { get; set; } = true;

    /// <summary>Maximum time for which a blocked outbox pauses its sources. Default 500 ms.</summary>
    /// <remarks>A slow reader makes progress and is waited for; a stopped one must not stop others.</remarks>
    public TimeSpan MaxStall { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>The bytes waiting now, including those of a running send.</summary>
    public long PendingBytes => Volatile.Read(ref _pendingBytes);

    /// <summary>The bytes sent since the start.</summary>
    public long SentBytes => Volatile.Read(ref _sentBytes);

    /// <summary>The bytes that were dropped when the connection ended; 0 before.</summary>
    public long UnsentBytes { get; private set; }

    /// <summary>The number of chunks that held <see cref="UnsentBytes"/>.</summary>
    public int UnsentPieces { get; private set; }

    /// <summary>How often a source was paused for this outbox.</summary>
    public long Stalls { get; private set; }

    /// <summary>Messages counted by all lanes.</summary>
    public long Messages => SumLanes(static lane => lane.Messages);

    /// <summary>Message bytes counted by all lanes.</summary>
    public long MessageBytes => SumLanes(static lane => lane.MessageBytes);

    internal TimeProvider Time { get; }

    // Whether the monitor has to check this outbox.
    internal bool IsWatched => Volatile.Read(ref _watched);

    /// <summary>Whether enough bytes wait to slow down producers; always false if the outbox does not slow down producers.</summary>
    /// <remarks>From an eighth of the limit: enough to bridge a reader's pause, small enough that many full outboxes stay cheap.</remarks>
    public bool IsAboveHighMark => StallsProducers && Volatile.Read(ref _pendingBytes) > MaxPendingBytes / 8;

    /// <summary>The lane of a batch, created by the first call.</summary>
    /// <param name="batch">The caller's batch.</param>
    /// <returns>The same lane at each call.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SendLane LaneOf(SendBatch batch)
    {
        var lanes = _lanes;
        var index = batch.Index;
        return (uint)index < (uint)lanes.Length && lanes[index] is { } lane ? lane : AddLane(batch);
    }

    /// <summary>Creates a lane for the caller, which guards and submits it.</summary>
    /// <returns>A new lane without a batch.</returns>
    public SendLane CreateLane() => new(this, null);

    /// <summary>Appends bytes and sends them: for control frames outside a batch.</summary>
    /// <param name="bytes">Copied.</param>
    public void Send(ReadOnlySpan<byte> bytes)
    {
        var lane = CreateLane();
        lane.Write(bytes);
        lane.Submit();
        Send();
    }

    /// <summary>Sends the waiting bytes, unless another thread is sending or the system accepts no more.</summary>
    public void Send()
    {
        Span<Segment> segments = stackalloc Segment[MaxSegments];
        int count;
        lock (_gate)
        {
            if (_sending || _closed) return;
            count = Gather(segments);
            if (count == 0) return;
            _sending = true;
        }
        SendLoop(segments, count);
    }

    /// <summary>Calls back once when fewer than the given number of bytes wait, or the connection is closed: now or after a later send.</summary>
    /// <param name="bytes">1 and up.</param>
    /// <param name="callback">Runs on this thread or a sender's without a lock; must be short. It replaces an earlier callback.</param>
    public void WhenBelow(long bytes, Action callback)
    {
        lock (_gate)
        {
            if (!_closed && _pendingBytes >= bytes)
            {
                (_drained, _drainedBytes) = (callback, bytes);
                return;
            }
        }
        callback();
    }

    /// <summary>Called by the engine when a running send has completed.</summary>
    /// <param name="sentBytes">The bytes of the completed send.</param>
    internal void Continue(int sentBytes)
    {
        Span<Segment> segments = stackalloc Segment[MaxSegments];
        SendLoop(segments, 0, sentBytes);
    }

    /// <summary>Called by the engine when the system accepts bytes again.</summary>
    internal void ContinueBlocked()
    {
        lock (_gate)
        {
            // The check of the deadlines may have continued the send before.
            if (!_blocked) return;
            _blocked = false;
        }
        Continue(0);
    }

    internal void Append(Chunk first, Chunk last, int bytes)
    {
        bool tooMuch;
        lock (_gate)
        {
            if (!TryAppend(first, last, bytes)) return;
            tooMuch = _pendingBytes > MaxPendingBytes;
        }
        if (tooMuch) _connection.Close(CloseReason.PendingBytesExceeded, null);
    }

    /// <summary>Appends and sends at once, unless another thread is sending or the system accepts no more.</summary>
    internal void AppendAndSend(Chunk first, Chunk last, int bytes)
    {
        Span<Segment> segments = stackalloc Segment[MaxSegments];
        int count;
        bool tooMuch;
        lock (_gate)
        {
            if (!TryAppend(first, last, bytes)) return;
            tooMuch = _pendingBytes > MaxPendingBytes;
            count = _sending ? 0 : Gather(segments);
            if (count > 0) _sending = true;
        }
        if (tooMuch) _connection.Close(CloseReason.PendingBytesExceeded, null);
        if (count > 0) SendLoop(segments, count);
    }

    internal void CloseWhenEmpty()
    {
        bool empty;
        lock (_gate)
        {
            _closeWhenEmpty = true;
            empty = _head is null;
        }
        if (empty) _connection.CloseSent();
        else Send();
    }

    /// <summary>Frees the waiting chunks; a running send frees its own chunks when it returns.</summary>
    internal void Close()
    {
        List<Connection>? stalled;
        Action? drained;
        lock (_gate)
        {
            if (_closed) return;
            _closed = true;
            UnsentBytes = _pendingBytes;
            for (var chunk = _head; chunk is not null; chunk = chunk.Next) UnsentPieces++;
            if (!_sending || _blocked) FreeQueue();
            (stalled, _stalled) = (_stalled, null);
            (drained, _drained) = (_drained, null);
        }
        Resume(stalled);
        drained?.Invoke();
    }

    /// <summary>Frees the queue once the engine knows that no send is running.</summary>
    internal void Release()
    {
        lock (_gate)
        {
            _sending = false;
            FreeQueue();
        }
    }

    internal void Stall(Connection source)
    {
        lock (_gate)
        {
            if (_closed || _stallReleased || ReferenceEquals(source, _connection.Transport) || !IsAboveHighMark) return;
            _stalled ??= [];
            if (_stalled.Contains(source)) return;
            _stalled.Add(source);
            Stalls++;
            source.PauseReading();
            if (_watched) return;
            _watched = true;
        }
        OutboxMonitor.Watch(this);
    }

    /// <summary>Checks the deadlines of a blocked outbox: resumes its sources, or closes the connection.</summary>
    /// <returns>False when there is nothing left to watch.</returns>
    internal bool Check()
    {
        List<Connection>? stalled = null;
        bool late, retries;
        lock (_gate)
        {
            if (_closed || _pendingBytes == 0)
            {
                _watched = false;
                return false;
            }
            var idle = Time.GetElapsedTime(_lastProgress);
            late = (ClosesPartialWrites ? Time.GetElapsedTime(_writeBegan) : idle) > WriteDeadline;
            retries = late && !ClosesPartialWrites && _blocked;
            if (retries) _blocked = false;
            // A closed connection is dropped by the next check.
            _watched = true;
            if (idle > MaxStall)
            {
                _stallReleased = true;
                stalled = _stalled;
                _stalled = null;
            }
        }
        Resume(stalled);
        if (late && !ClosesPartialWrites) late = !(retries && TrySendSome()) && !TransportAccepts();
        if (late) _connection.Close(CloseReason.WriteDeadlineExceeded, null);
        return !late;
    }

    // Whether a connection on top of another one waits for a reader that takes some bytes of the one below.
    private bool TransportAccepts()
    {
        var transport = _connection.Transport.Outbox;
        if (ReferenceEquals(transport, this)) return false;
        lock (transport._gate)
        {
            if (transport._closed || transport._pendingBytes == 0) return false;
            if (Time.GetElapsedTime(transport._lastProgress) <= WriteDeadline) return true;
            if (!transport._blocked) return false;
            transport._blocked = false;
        }
        return transport.TrySendSome();
    }

    // Called by the thread that ended the blocked state. The system reports room only when a third of the socket's buffer is empty; until then
    // it accepts bytes nevertheless, so that a slow reader makes progress.
    private bool TrySendSome()
    {
        Span<Segment> segments = stackalloc Segment[MaxSegments];
        var before = SentBytes;
        int count;
        lock (_gate) count = Gather(segments);
        SendLoop(segments, count);
        return SentBytes > before;
    }

    // Entered by the one sender, with the segments that it gathered or that a completed send held.
    private void SendLoop(Span<Segment> segments, int count, int sentBytes = 0)
    {
        var result = TransmitResult.Done;
        while (true)
        {
            if (count > 0) result = _connection.Transmit(segments[..count], out sentBytes);
            List<Connection>? resumed;
            Action? drained = null;
            var ended = false;
            var watch = false;
            lock (_gate)
            {
                _blocked = false;
                resumed = sentBytes > 0 ? Taken(sentBytes) : null;
                if (_drained is not null && _pendingBytes < _drainedBytes) (drained, _drained) = (_drained, null);
                sentBytes = 0;
                count = 0;
                if (result == TransmitResult.Failed || (_closed && result != TransmitResult.UnderWay))
                {
                    // Another thread may be closing the connection without having reached this outbox yet.
                    _sending = false;
                    FreeQueue();
                    result = TransmitResult.Failed;
                }
                else if (result != TransmitResult.Done)
                {
                    _blocked = result == TransmitResult.Blocked;
                    watch = !_watched && _pendingBytes > 0;
                    _watched |= watch;
                }
                else
                {
                    count = Gather(segments);
                    _sending = count > 0;
                    ended = count == 0 && _closeWhenEmpty;
                }
            }
            Resume(resumed);
            drained?.Invoke();
            if (count > 0) continue;
            if (ended) _connection.CloseSent();
            if (watch) OutboxMonitor.Watch(this);
            if (result == TransmitResult.Blocked) _connection.AwaitWritable();
            return;
        }
    }

    private unsafe bool TryAppend(Chunk? first, Chunk last, int bytes)
    {
        if (_closed || _closeWhenEmpty || bytes == 0)
        {
            ChunkPool.ReturnAll(first);
            return false;
        }
        var moved = _pendingBytes < PackedFromBytes ? MaxMovedBytes : MaxPackedBytes;
        if (_tail is not null && bytes <= moved && ReferenceEquals(first, last))
        {
            // Where much waits already, small pieces continue in a large chunk: it is filled by the next ones.
            if (_tail.Capacity - _tail.End < bytes && moved == MaxPackedBytes && first.Capacity < ChunkPool.LargeBytes)
                _tail = _tail.Next = ChunkPool.Rent(ChunkPool.LargeBytes);
            if (_tail.Capacity - _tail.End >= bytes)
            {
                // Bytes of a running send are not moved.
                BulkCopy.Copy(first.Unsent, new Span<byte>(_tail.Memory + _tail.End, bytes));
                _tail.End += bytes;
                ChunkPool.Return(first);
                first = null;
            }
        }
        if (first is not null)
        {
            if (_tail is null) _head = first;
            else _tail.Next = first;
            _tail = last;
        }
        if (_pendingBytes == 0)
        {
            _lastProgress = _writeBegan = Time.GetTimestamp();
            _unfinishedBytes = bytes;
        }
        _pendingBytes += bytes;
        return true;
    }

    private unsafe int Gather(Span<Segment> segments)
    {
        var count = 0;
        for (var chunk = _head; chunk is not null && count < segments.Length; chunk = chunk.Next)
            segments[count++] = new Segment((nint)(chunk.Memory + chunk.Start), (nuint)chunk.Length);
        return count;
    }

    private List<Connection>? Taken(int bytes)
    {
        _pendingBytes -= bytes;
        _unfinishedBytes -= bytes;
        _sentBytes += bytes;
        _stallReleased = false;
        while (_head is { } chunk)
        {
            if (bytes < chunk.Length)
            {
                chunk.Start += bytes;
                break;
            }
            bytes -= chunk.Length;
            _head = chunk.Next;
            if (_head is null) _tail = null;
            ChunkPool.Return(chunk);
        }
        if (_pendingBytes > 0)
        {
            _lastProgress = Time.GetTimestamp();
            if (_unfinishedBytes <= 0) (_writeBegan, _unfinishedBytes) = (_lastProgress, _pendingBytes);
        }
        // A sixteenth: half of the high mark, so that sources do not switch between running and paused all the time.
        if (_stalled is null || _pendingBytes >= MaxPendingBytes / 16) return null;
        var stalled = _stalled;
        _stalled = null;
        return stalled;
    }

    private static void Resume(List<Connection>? stalled)
    {
        if (stalled is null) return;
        foreach (var source in stalled) source.ResumeReading();
    }

    private void FreeQueue()
    {
        ChunkPool.ReturnAll(_head);
        _head = _tail = null;
        Volatile.Write(ref _pendingBytes, 0);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private SendLane AddLane(SendBatch batch)
    {
        lock (_gate)
        {
            if (_lanes.Length <= batch.Index)
            {
                var grown = new SendLane?[batch.Index + 1];
                _lanes.CopyTo(grown, 0);
                Volatile.Write(ref _lanes, grown);
            }
            return _lanes[batch.Index] ??= new SendLane(this, batch);
        }
    }

    private long SumLanes(Func<SendLane, long> value)
    {
        long sum = 0;
        foreach (var lane in _lanes)
            if (lane is not null) sum += value(lane);
        return sum;
    }
}
