// Hot path: epoll_wait -> this -> IReceiver -> SendBatch. Allocations: none.
using System.Collections.Concurrent;
using System.Runtime.InteropServices;

namespace Postrider.Wire.Sockets;

/// <summary>One thread, one epoll instance, one receive buffer, one batch.</summary>
internal sealed unsafe class EpollLoop
{
    // Two sends of a peer of ours: at 64 KiB a 16 KiB payload was cut at nearly every read (bench/RESULTS.md).
    private const int BufferBytes = 128 * 1024;

    // Reads of one connection before the others have their turn.
    private const int ReadsInTurn = 4;
    private const int MaxEvents = 256;
    private const ulong WakeKey = ulong.MaxValue;

    // Linux packs the event on x86-64 only.
    private static readonly bool Packed = RuntimeInformation.ProcessArchitecture == Architecture.X64;
    private static readonly int EventBytes = Packed ? 12 : 16;
    private static readonly int EventDataOffset = Packed ? 4 : 8;

    private readonly ConcurrentQueue<EpollConnection> _removals = new();
    private readonly ConcurrentQueue<EpollConnection> _unfinished = new();
    private readonly SendBatch _batch;
    private readonly int _epoll;
    private readonly int _wake;
    private readonly byte* _buffer;

    // Guards the table's growth, its free places and the life of the descriptors; the loop reads the array as it is.
    private readonly Lock _gate = new();
    private readonly Stack<int> _free = new();
    private EpollConnection?[] _table = new EpollConnection?[64];
    private int _tableCount;
    private uint _generation;
    private volatile bool _stopped;
    private bool _ended;
    private int _threadId;

    public EpollLoop(SendBatch batch, int index)
    {
        _batch = batch;
        _buffer = (byte*)NativePages.Allocate(BufferBytes);
        _epoll = Check(Libc.EpollCreate(Libc.EpollCloseOnExec), "epoll_create1");
        _wake = Check(Libc.EventDescriptor(0, Libc.EventNonBlocking | Libc.EpollCloseOnExec), "eventfd");
        Ask(Libc.EpollAdd, _wake, Libc.EpollIn, WakeKey);
        new Thread(Run) { IsBackground = true, Name = $"postrider epoll {index}" }.Start();
    }

    /// <summary>Gives a connection a key. Any thread.</summary>
    /// <exception cref="ObjectDisposedException">The loop has ended.</exception>
    public ulong Add(EpollConnection connection)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_ended, typeof(ConnectionEngine));
            if (!_free.TryPop(out var place))
            {
                place = _tableCount++;
                if (place == _table.Length)
                {
                    var grown = new EpollConnection?[place * 2];
                    _table.CopyTo(grown, 0);
                    Volatile.Write(ref _table, grown);
                }
            }
            _table[place] = connection;
            return ((ulong)++_generation << 32) | (uint)place;
        }
    }

    /// <summary>Asks epoll for events. Any thread.</summary>
    public void Ask(int operation, int descriptor, uint events, ulong key)
    {
        var data = stackalloc byte[16];
        *(uint*)data = events;
        *(ulong*)(data + EventDataOffset) = key;
        lock (_gate)
        {
            if (!_ended) _ = Libc.EpollControl(_epoll, operation, descriptor, data);
        }
    }

    /// <summary>Lets the loop forget a connection that was closed. Any thread.</summary>
    public void Remove(EpollConnection connection)
    {
        lock (_gate)
        {
            if (!_ended)
            {
                _removals.Enqueue(connection);
                // The loop looks at the removals after each round: its own need no wake-up.
                if (Environment.CurrentManagedThreadId != _threadId) Wake();
                return;
            }
        }
        // Nothing reads it any more.
        connection.Remove();
    }

    /// <summary>Gives a connection whose receiver left with more to do a turn after the others. Any thread.</summary>
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

    /// <summary>Reads a connection that epoll called readable. On the loop's thread.</summary>
    public void Read(EpollConnection connection, IReceiver receiver)
    {
        for (var turn = 0; turn < ReadsInTurn && !connection.MustNotRead; turn++)
        {
            var kept = connection.Buffer.Length;
            var inPlace = kept > 0 && (connection.Buffer.NeededBytes > BufferBytes || kept > BufferBytes / 2);
            var drained = inPlace ? ReadInPlace(connection, receiver) : ReadShared(connection, receiver, kept);
            if (drained) return;
        }
    }

    /// <summary>Hands the kept bytes to the receiver again. On the loop's thread.</summary>
    public void ReadKept(EpollConnection connection, IReceiver receiver) => ReceiveKept(connection, receiver, 0);

    /// <summary>Reads and drops what a closed connection still receives. On the loop's thread.</summary>
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
            _batch.Begin();
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
        if (_batch.HasEnough) connection.Postpone();
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
        ReceiveKept(connection, receiver, (int)received);
        return received < room.Length;
    }

    private void ReceiveKept(EpollConnection connection, IReceiver receiver, int received)
    {
        try
        {
            _batch.Begin();
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
        if (_batch.HasEnough) connection.Postpone();
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
        var events = stackalloc byte[MaxEvents * EventBytes];
        while (!_stopped)
        {
            var count = Libc.EpollWait(_epoll, events, MaxEvents, _unfinished.IsEmpty ? -1 : 0);
            for (var i = 0; i < count; i++)
            {
                var entry = events + (i * EventBytes);
                var key = *(ulong*)(entry + EventDataOffset);
                if (key == WakeKey) ClearWake();
                else if (Find(key) is { } connection) connection.OnEvents(*(uint*)entry);
            }
            while (_removals.TryDequeue(out var removed)) Forget(removed);
            if (!_unfinished.IsEmpty) ContinueAll();
        }
        EndAll();
    }

    // One turn each: who is not done then stands in the queue again.
    private void ContinueAll()
    {
        for (var turns = _unfinished.Count; turns > 0 && _unfinished.TryDequeue(out var connection); turns--) connection.Continue();
    }

    private EpollConnection? Find(ulong key)
    {
        var connection = Volatile.Read(ref _table)[(int)(uint)key];
        return connection?.Key == key ? connection : null;
    }

    private void Forget(EpollConnection connection)
    {
        if (connection.TryLinger()) return;
        lock (_gate)
        {
            // Removed twice where the other side closed when the wait for it was over.
            var place = (int)(uint)connection.Key;
            if (!ReferenceEquals(_table[place], connection)) return;
            _table[place] = null;
            _free.Push(place);
        }
        connection.Remove();
    }

    private void EndAll()
    {
        EpollConnection?[] open;
        lock (_gate)
        {
            // From here on whoever closes a connection removes it, and nobody touches the descriptors' numbers.
            _ended = true;
            open = [.. _table];
            _ = Libc.Close(_epoll);
            _ = Libc.Close(_wake);
        }
        while (_removals.TryDequeue(out var removed)) removed.Remove();
        foreach (var connection in open)
        {
            connection?.Close(CloseReason.ByUs, null);
            // One that was closed before and waits for the other side.
            connection?.Remove();
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
