// Hot path: EpollLoop -> this -> IReceiver; Outbox -> this -> sendmsg. Allocations: none.
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace Postrider.Sockets;

/// <summary>A socket that belongs to one epoll loop.</summary>
internal sealed class EpollConnection : Connection
{
    private readonly EpollLoop _loop;
    private readonly Socket _socket;
    private readonly SafeSocketHandle _handle;

    // Guards the events that epoll is asked for.
    private readonly Lock _interestGate = new();
    private TaskCompletionSource? _connecting;
    private EndPoint? _local;
    private volatile bool _reads;
    private volatile bool _isUnfinished;
    private bool _peerHungUp;              // written by the loop's thread, which also handles the received data
    private bool _awaitsWritable;
    private bool _registered;
    private bool _lingers;
    private bool _removed;
    private ITimer? _lingerTimer;
    private volatile bool _lingerOver;

    public EpollConnection(Socket socket, EndPoint? remote, EndPoint? local, EpollLoop loop, SendBatchSet batches, TimeProvider time)
        : base(batches, time)
    {
        _socket = socket;
        _handle = socket.SafeHandle;
        _loop = loop;
        (RemoteEndPoint, _local) = (remote, local);
        Descriptor = (int)_handle.DangerousGetHandle();
        Key = loop.Add(this);
        ShareTurns(Key.GetHashCode());
    }

    public override EndPoint? RemoteEndPoint { get; }

    public override EndPoint? LocalEndPoint => _local;

    /// <summary>The descriptor; valid on the loop until <see cref="Remove"/>.</summary>
    public int Descriptor { get; }

    /// <summary>The key assigned by the loop.</summary>
    public ulong Key { get; }

    public async Task ConnectAsync(IPEndPoint endPoint, CancellationToken ct)
    {
        var connecting = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _connecting = connecting;
        await using var registration = ct.UnsafeRegister(
            static (state, token) => ((TaskCompletionSource)state!).TrySetCanceled(token), connecting).ConfigureAwait(false);
        BeginConnect(endPoint);
        await connecting.Task.ConfigureAwait(false);
        _local = FindLocalEndPoint(endPoint);
    }

    internal override TransmitResult Transmit(ReadOnlySpan<Segment> segments, out int sentBytes)
    {
        sentBytes = 0;
        var held = false;
        try
        {
            // The descriptor's number must not be given to another socket while the system call runs.
            _handle.DangerousAddRef(ref held);
            nint sent;
            do
            {
                sent = SendSegments(segments);
            }
            while (sent < 0 && Marshal.GetLastPInvokeError() == Libc.Interrupted);
            if (sent >= 0)
            {
                sentBytes = (int)sent;
                return TransmitResult.Done;
            }
        }
        catch (ObjectDisposedException)
        {
            return TransmitResult.Failed;
        }
        finally
        {
            if (held) _handle.DangerousRelease();
        }
        var error = Marshal.GetLastPInvokeError();
        if (error == Libc.TryAgain) return TransmitResult.Blocked;
        Close(CloseReason.WriteError, Libc.ErrorOf(error));
        return TransmitResult.Failed;
    }

    internal override void AwaitWritable()
    {
        lock (_interestGate)
        {
            _awaitsWritable = true;
            UpdateInterest();
        }
    }

    /// <inheritdoc/>
    public override bool HasPeerHungUp => _peerHungUp;

    /// <summary>Handles the events of epoll. On the loop's thread.</summary>
    public void OnEvents(uint events)
    {
        if (_lingers)
        {
            if (_loop.Discard(this)) EndLinger();
            return;
        }
        if (_connecting is { } connecting)
        {
            OnConnected(connecting);
            return;
        }
        if ((events & (Libc.EpollOut | Libc.EpollError | Libc.EpollHangUp)) != 0 && _awaitsWritable)
        {
            lock (_interestGate)
            {
                _awaitsWritable = false;
                UpdateInterest();
            }
            Outbox.ContinueBlocked();
        }
        if ((events & Libc.EpollPeerHangUp) != 0) _peerHungUp = true;
        if ((events & (Libc.EpollIn | Libc.EpollError | Libc.EpollHangUp)) != 0 && !IsClosed) _loop.OnReadable(this, Receiver!);
    }

    /// <summary>Begins to wait for the other side to close, if the connection was closed that way. On the loop's thread.</summary>
    /// <returns>False when there is nothing to wait for: the connection is to be removed.</returns>
    public bool TryLinger()
    {
        if (!Lingers || _lingerOver || _loop.Discard(this)) return false;
        lock (_interestGate)
        {
            _lingers = true;
            UpdateInterest();
        }
        Buffer.Release();
        _lingerTimer = Outbox.Time.CreateTimer(
            static state => ((EpollConnection)state!).EndLinger(), this, LongestLinger, Timeout.InfiniteTimeSpan);
        EndReading();
        return true;
    }

    /// <summary>Closes the socket. On the loop's thread, or on any once the loop has ended.</summary>
    public void Remove()
    {
        lock (_interestGate)
        {
            if (_removed) return;
            _removed = true;
            if (_registered) _loop.Control(Libc.EpollDelete, Descriptor, 0, Key);
        }
        _lingerTimer?.Dispose();
        Buffer.Release();
        _socket.Dispose();
        EndReading();
    }

    /// <summary>The unconsumed bytes; only used by the loop's thread.</summary>
    public ReceiveBuffer Buffer;

    /// <summary>Whether it sent much the last time; only used by the loop's thread.</summary>
    public bool IsBulk;

    /// <summary>Whether it is queued for its owner's turn; only used by the loop's thread.</summary>
    public bool AwaitsTurn;

    /// <summary>Whether the loop must not read now.</summary>
    public bool MustNotRead => IsPaused || IsClosed || !_reads || _isUnfinished;

    /// <summary>Has the receiver called again without a read: it returned with more to do. On the loop's thread.</summary>
    public void Postpone()
    {
        _isUnfinished = true;
        IsBulk = true;
        _loop.Continue(this);
    }

    /// <summary>Continues where the receiver returned, or reads. On the loop's thread.</summary>
    public void TakeTurn()
    {
        AwaitsTurn = false;
        // Either this sees that reading was resumed, or the thread that resumes it sees the unfinished work and requests a turn.
        Interlocked.MemoryBarrier();
        if (IsPaused || IsClosed || !_reads) return;
        if (!_isUnfinished)
        {
            _loop.Read(this, Receiver!);
            return;
        }
        _isUnfinished = false;
        _loop.ReadKept(this, Receiver!);
    }

    /// <summary>Ends the connection because the other side sends no more. On the loop's thread.</summary>
    public void PeerEnded()
    {
        lock (_interestGate)
        {
            _reads = false;
            UpdateInterest();
        }
        EndByPeer();
    }

    private protected override void BeginReading()
    {
        lock (_interestGate)
        {
            _reads = true;
            UpdateInterest();
        }
    }

    private protected override void ReadingChanged()
    {
        lock (_interestGate) UpdateInterest();
        if (_isUnfinished && !IsPaused) _loop.Continue(this);
    }

    private protected override void Shutdown()
    {
        _connecting?.TrySetException(new SocketException((int)SocketError.OperationAborted));
        lock (_interestGate)
        {
            if (!_removed) _ = Libc.Shutdown(Descriptor, Lingers ? Libc.ShutdownWrite : Libc.ShutdownBoth);
        }
        _loop.Remove(this);
    }

    private void EndLinger()
    {
        _lingerOver = true;
        _loop.Remove(this);
    }

    private unsafe nint SendSegments(ReadOnlySpan<Segment> segments)
    {
        const int Flags = Libc.DontWait | Libc.NoSignal;
        if (segments.Length == 1) return Libc.Send(Descriptor, (void*)segments[0].Address, segments[0].Length, Flags);
        fixed (Segment* first = segments)
        {
            var message = new Libc.MessageHeader { Segments = first, SegmentCount = (nuint)segments.Length };
            return Libc.SendMessage(Descriptor, &message, Flags);
        }
    }

    private unsafe void BeginConnect(IPEndPoint endPoint)
    {
        _ = Libc.Control(Descriptor, Libc.SetFlags, Libc.Control(Descriptor, Libc.GetFlags, 0) | Libc.NonBlocking);
        var address = endPoint.Serialize();
        fixed (byte* bytes = address.Buffer.Span)
        {
            if (Libc.Connect(Descriptor, bytes, (uint)address.Size) != 0 && Marshal.GetLastPInvokeError() is var error and not Libc.InProgress)
                throw Libc.ErrorOf(error);
        }
        AwaitWritable();
    }

    // The framework's socket does not know that it is connected, and would return null.
    private unsafe EndPoint FindLocalEndPoint(IPEndPoint remote)
    {
        var address = remote.Serialize();
        var size = (uint)address.Size;
        fixed (byte* bytes = address.Buffer.Span) _ = Libc.GetSocketName(Descriptor, bytes, &size);
        return remote.Create(address);
    }

    private unsafe void OnConnected(TaskCompletionSource connecting)
    {
        var error = 0;
        uint size = sizeof(int);
        if (Libc.GetOption(Descriptor, Libc.SocketLevel, Libc.SocketErrorOption, &error, &size) != 0) error = Marshal.GetLastPInvokeError();
        lock (_interestGate)
        {
            _awaitsWritable = false;
            UpdateInterest();
        }
        _connecting = null;
        if (error == 0) connecting.TrySetResult();
        else connecting.TrySetException(Libc.ErrorOf(error));
    }

    // Under the gate. A connection without any interest is not registered, so that a hang-up cannot make the loop spin.
    private void UpdateInterest()
    {
        if (_removed) return;
        var wanted = _lingers ? Libc.EpollIn : (_reads && !IsPaused ? Libc.EpollIn | Libc.EpollPeerHangUp : 0) | (_awaitsWritable ? Libc.EpollOut : 0);
        if (wanted == 0)
        {
            if (_registered) _loop.Control(Libc.EpollDelete, Descriptor, 0, Key);
            _registered = false;
            return;
        }
        _loop.Control(_registered ? Libc.EpollModify : Libc.EpollAdd, Descriptor, wanted, Key);
        _registered = true;
    }
}
