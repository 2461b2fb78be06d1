// Hot path: epoll_wait -> this -> IReceiver -> SendBatch. Allocations: none.
using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using Postrider.Memory;

namespace Postrider.Sockets;

/// <summary>One thread, one epoll instance, one receive buffer, one batch.</summary>
internal sealed unsafe class EpollLoop
{
    // Two sends of another Postrider process: at 64 KiB a 16 KiB payload was split at nearly every read (bench/RESULTS.md).
    private const int BufferBytes = 128 * 1024;

    // Maximum number of reads of one connection before others have their turn; none begins after the turn's end.
    private const int ReadsInTurn = 4;

    // A connection that sent this much at once, or caused as much work, waits for its owner's turn the next time.
    private const int BulkBytes = BufferBytes / 4;
    private const int MaxEvents = 256;
    private const ulong WakeKey = ulong.MaxValue;

    private readonly ConcurrentQueue<EpollConnection> _removals = new();
    private readonly ConcurrentQueue<EpollConnection> _unfinished = new();

    // Connections that wait for their owner's turn, by their owner's group, and the groups with such connections, the next one first. Groups
    // are told apart by a hash, as in stochastic fair queueing (McKenney, 1990): no owner is registered or forgotten. Only used by the
    // loop's thread.
    private readonly Queue<EpollConnection>?[] _lines = new Queue<EpollConnection>?[Connection.TurnGroups];
    private readonly Queue<int> _waiting = [];
    private readonly SendBatch _batch;
    private readonly Epoll _epoll = new();
    private readonly TimeProvider _time;
    private readonly int _wake;
    private readonly byte* _buffer;

    // Guards changes of the table and the lifetime of the descriptors; the loop looks up connections without it.
    private readonly Lock _gate = new();
    private SlotTable<EpollConnection> _connections = new(placeBits: 31, generationBits: 32);
    private volatile bool _stopped;
    private bool _ended;
    private int _threadId;

    // When the turn under way ends; 0 for connections that are read beside the turns. Only used by the loop's thread.
    private long _turnEnds;

    public EpollLoop(SendBatch batch, int index)
    {
        (_batch, _time) = (batch, batch.Set.Time);
        _buffer = (byte*)NativePages.Allocate(BufferBytes);
        _wake = Check(Libc.EventDescriptor(0, Libc.EventNonBlocking | Libc.EpollCloseOnExec), "eventfd");
        Control(Libc.EpollAdd, _wake, Libc.EpollIn, WakeKey);
        new Thread(Run) { IsBackground = true, Name = $"postrider epoll {index}" }.Start();
    }

    /// <summary>Assigns a key to a connection. Any thread.</summary>
    /// <exception cref="ObjectDisposedException">The loop has ended.</exception>
    public ulong Add(EpollConnection connection)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_ended, typeof(ConnectionEngine));
            // A process has fewer descriptors than the table has slots.
            _ = _connections.TryAdd(connection, out var key);
            return (ulong)key;
        }
    }

    /// <summary>Asks epoll for events. Any thread.</summary>
    public void Control(int operation, int descriptor, uint events, ulong key)
    {
        lock (_gate)
        {
            if (!_ended) _ = _epoll.Control(operation, descriptor, events, key);
        }
    }

    /// <summary>Removes a closed connection from the loop. Any thread.</summary>
    public void Remove(EpollConnection connection)
    {
        lock (_gate)
        {
            if (!_ended)
            {
                _removals.Enqueue(connection);
                // The loop handles removals after each round: its own need no wake-up.
                if (Environment.CurrentManagedThreadId != _threadId) Wake();
                return;
            }
        }
        // No thread reads it any more.
        connection.Remove();
    }

    /// <summary>Queues a connection whose receiver returned with more to do, for a turn after the others. Any thread.</summary>
    public void Continue(EpollConnection connection)
    {
        _unfinished.Enqueue(connection);
        if (Environment.CurrentManagedThreadId == _threadId) return;
        lock (_gate)
        {
            if (!_ended) Wake();
        }
    }

    /// <summary>Ends the thread and closes its connections.</summary>
    public void Stop()
    {
        _stopped = true;
        lock (_gate)
        {
            if (!_ended) Wake();
        }
    }

    /// <summary>Reads a connection that epoll reported as readable: at once if it sends little, in its owner's turn otherwise.
    /// On the loop's thread.</summary>
    public void OnReadable(EpollConnection connection, IReceiver receiver)
    {
        if (connection.IsBulk) AwaitTurn(connection);
        else Read(connection, receiver);
    }

    /// <summary>Passes the kept bytes to the receiver again. On the loop's thread.</summary>
    public void ReadKept(EpollConnection connection, IReceiver receiver) => ReceiveKept(connection, receiver, 0);

    /// <summary>Reads and drops the bytes that a closed connection still receives. On the loop's thread.</summary>
    /// <returns>Whether the other side has closed too.</returns>
    public bool Discard(EpollConnection connection)
    {
        for (var turn = 0; turn < ReadsInTurn; turn++)
        {
            var received = Libc.Receive(connection.Descriptor, _buffer, BufferBytes, Libc.DontWait);
            if (received == 0) return true;
            if (received < 0) return Marshal.GetLastPInvokeError() is not (Libc.TryAgain or Libc.Interrupted);
        }
        return false;
    }

    /// <summary>Reads a connection in its turn. On the loop's thread.</summary>
    public void Read(EpollConnection connection, IReceiver receiver)
    {
        var until = _turnEnds;
        for (var turn = 0; turn < ReadsInTurn && !connection.MustNotRead; turn++)
        {
            // The clock is only read if one read was not enough.
            if (turn > 0)
            {
                var now = _time.GetTimestamp();
                if (until == 0) until = now + _batch.TurnTicks;
                else if (now > until) return;
            }
            var kept = connection.Buffer.Length;
            var inPlace = kept > 0 && (connection.Buffer.NeededBytes > BufferBytes || kept > BufferBytes / 2);
            var drained = inPlace ? ReadInPlace(connection, receiver) : ReadShared(connection, receiver, kept);
            if (drained) return;
        }
    }

    private bool ReadShared(EpollConnection connection, IReceiver receiver, int kept)
    {
        var needed = connection.Buffer.NeededBytes;
        if (kept > 0) connection.Buffer.MoveTo(new Span<byte>(_buffer, BufferBytes));
        var room = BufferBytes - kept;
        var received = Libc.Receive(connection.Descriptor, _buffer + kept, (nuint)room, Libc.DontWait);
        if (received <= 0)
        {
            if (kept > 0) connection.Buffer.Keep(new ReadOnlySpan<byte>(_buffer, kept), needed);
            Ended(connection, received);
            return true;
        }
        var input = new ReadOnlySpan<byte>(_buffer, kept + (int)received);
        try
        {
            _batch.Begin(_turnEnds);
            var consumed = receiver.Receive(input, _batch, out needed);
            if (consumed < input.Length) connection.Buffer.Keep(input[consumed..], needed);
        }
        catch (Exception error)
        {
            _batch.DropIncomplete();
            connection.Close(CloseReason.ReceiverFault, error);
        }
        finally
        {
            _batch.End(connection);
        }
        connection.IsBulk = received >= BulkBytes || _batch.WasCostly;
        if (_batch.ShouldYield) connection.Postpone();
        return received < room;
    }

    private bool ReadInPlace(EpollConnection connection, IReceiver receiver)
    {
        var room = connection.Buffer.GetRoom(BufferBytes / 2);
        nint received;
        fixed (byte* target = room.Span)
            received = Libc.Receive(connection.Descriptor, target, (nuint)room.Length, Libc.DontWait);
        if (received <= 0)
        {
            Ended(connection, received);
            return true;
        }
        connection.IsBulk = true;
        ReceiveKept(connection, receiver, (int)received);
        return received < room.Length;
    }

    private void ReceiveKept(EpollConnection connection, IReceiver receiver, int received)
    {
        try
        {
            _batch.Begin(_turnEnds);
            connection.Buffer.ReceiveKept(received, receiver, _batch);
        }
        catch (Exception error)
        {
            _batch.DropIncomplete();
            connection.Close(CloseReason.ReceiverFault, error);
        }
        finally
        {
            _batch.End(connection);
        }
        if (_batch.ShouldYield) connection.Postpone();
    }

    private static void Ended(EpollConnection connection, nint received)
    {
        if (received == 0)
        {
            connection.PeerEnded();
            return;
        }
        var error = Marshal.GetLastPInvokeError();
        if (error is Libc.TryAgain or Libc.Interrupted) return;
        connection.Close(CloseReason.ReadError, Libc.ErrorOf(error));
    }

    private void Run()
    {
        _threadId = Environment.CurrentManagedThreadId;
        var events = stackalloc byte[MaxEvents * Epoll.EventBytes];
        while (!_stopped)
        {
            var isIdle = _unfinished.IsEmpty && _waiting.Count == 0 && !_batch.IsUnfinished;
            var count = _epoll.Wait(events, MaxEvents, isIdle ? -1 : 0);
            for (var i = 0; i < count; i++)
            {
                var entry = events + (i * Epoll.EventBytes);
                var key = Epoll.KeyOf(entry);
                if (key == WakeKey) ClearWake();
                else if (_connections.Find((long)key) is { } connection) connection.OnEvents(Epoll.BitsOf(entry));
            }
            while (_unfinished.TryDequeue(out var unfinished)) AwaitTurn(unfinished);
            if (_waiting.Count > 0) TakeTurns();
            if (_batch.IsUnfinished) ContinueBatch();
            // At the end: what the round itself closed wakes nobody.
            while (_removals.TryDequeue(out var removed)) RemoveNow(removed);
        }
        EndAll();
    }

    // It may be queued already: epoll reports it as long as it can be read.
    private void AwaitTurn(EpollConnection connection)
    {
        if (connection.AwaitsTurn) return;
        connection.AwaitsTurn = true;
        // Read once: another thread may change it.
        var group = connection.TurnGroup;
        var line = _lines[group] ??= [];
        if (line.Count == 0) _waiting.Enqueue(group);
        line.Enqueue(connection);
    }

    // One owner's turn, or several short ones, then the connections that cost little are read: those wait for less than two turns, however
    // many owners and connections there are that send much, and one with unfinished work does not wait for all of another owner's. A
    // connection that is not finished is queued again.
    private void TakeTurns()
    {
        var now = _time.GetTimestamp();
        // With many owners that have little, epoll would list all of their connections again for each of them.
        var lastBegins = now + (_batch.TurnTicks / 2);
        for (var left = _waiting.Count; left > 0 && now <= lastBegins; left--)
        {
            var group = _waiting.Dequeue();
            var line = _lines[group]!;
            _turnEnds = now + _batch.TurnTicks;
            while (now < _turnEnds && line.TryDequeue(out var connection))
            {
                connection.TakeTurn();
                now = _time.GetTimestamp();
            }
            if (line.Count > 0) _waiting.Enqueue(group);
        }
        _turnEnds = 0;
    }

    // Callbacks that earlier reads left over.
    private void ContinueBatch()
    {
        _batch.Begin();
        try
        {
            _batch.RunDeferredCallbacks();
        }
        finally
        {
            _batch.End(null);
        }
    }

    private void RemoveNow(EpollConnection connection)
    {
        if (connection.TryLinger()) return;
        lock (_gate)
        {
            // Removed twice if the other side closed at the time when the wait for it ended.
            if (!_connections.TryRemove((long)connection.Key, out _)) return;
        }
        connection.Remove();
    }

    private void EndAll()
    {
        List<EpollConnection> open;
        lock (_gate)
        {
            // From here on the thread that closes a connection removes it, and the descriptor numbers are not used.
            _ended = true;
            open = _connections.Clear();
            _epoll.Close();
            _ = Libc.Close(_wake);
        }
        while (_removals.TryDequeue(out var removed)) removed.Remove();
        foreach (var connection in open)
        {
            connection.Close(CloseReason.ByUs, null);
            // It was closed before and waits for the other side.
            connection.Remove();
        }
        NativePages.Free((nint)_buffer, BufferBytes);
        _batch.Set.Return(_batch);
    }

    private void Wake()
    {
        ulong one = 1;
        _ = Libc.Write(_wake, &one, sizeof(ulong));
    }

    private void ClearWake()
    {
        ulong value;
        _ = Libc.Read(_wake, &value, sizeof(ulong));
    }

    private static int Check(int descriptor, string call)
        => descriptor >= 0
            ? descriptor
            : throw new InvalidOperationException($"{call} failed: {Marshal.GetLastPInvokeErrorMessage()}");
}
