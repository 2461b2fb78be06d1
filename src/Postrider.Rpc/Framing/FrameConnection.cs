// Hot path: FrameTransport -> this -> RpcClientConnection, RpcServerConnection. Allocations: none.
using System.Buffers;
using System.Buffers.Binary;
using System.Security.Claims;
using Postrider.Memory;

namespace Postrider.Rpc.Framing;

/// <summary>Splits the bytes of a transport into frames.</summary>
/// <remarks>Frames are parsed in the receive buffer without copying; a body is valid until <see cref="OnFrame"/> returns. The work
/// started by a frame runs on the thread pool, except for the last frame of a read: that work runs on the receiving thread after the next
/// receive has been issued, so that a single call does not switch threads and no other call waits behind blocking code (a thread that
/// also reads for other transports is replaced: <see cref="LeaderFollowers"/>).</remarks>
internal abstract class FrameConnection : IDisposable
{
    private const int BufferBytes = 64 * 1024;

    // A buffer that grew for a large message is released when it is empty.
    private const int MaxKeptBytes = 256 * 1024;

    private int _maxFrameBytes;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(BufferBytes);
    private int _start;
    private int _end;
    private IThreadPoolWorkItem? _last;
    private ReverseFrameTransport? _reverse;
    private int _isClosed;
    private int _isPaused;
    private TaskCompletionSource? _room;

    protected FrameConnection(FrameTransport transport, int maxMessageBytes, long maxPendingBytes)
    {
        Transport = transport;
        AllowMessages(maxMessageBytes);
        SendQueue = new(transport, maxPendingBytes, Resume, cause => Close(new RpcException(RpcStatus.Unavailable, $"The connection was lost: {cause?.Message}", cause)));
        transport.OnReceived = Received;
    }

    /// <summary>Completes when the connection is closed and pending calls have been notified.</summary>
    public Task Ended => _ended.Task;

    /// <summary>A description of the peer.</summary>
    public string Peer => Transport.Peer;

    public ClaimsPrincipal? User => Transport.User;

    /// <summary>Whether a paused reverse connection may continue.</summary>
    public bool MayResume => IsClosed || !SendQueue.IsOver;

    public bool IsClosed => Volatile.Read(ref _isClosed) != 0;

    protected FrameTransport Transport { get; }

    /// <summary>Whether so many calls are pending that frames are batched.</summary>
    protected abstract bool IsBusy { get; }

    protected FrameSendQueue SendQueue { get; }

    /// <summary>Starts receiving on the thread pool, because data that is already available may run blocking code, and the caller has
    /// other connections to accept.</summary>
    public void Start() => ThreadPool.UnsafeQueueUserWorkItem(static self => self.Receive(), this, preferLocal: false);

    /// <summary>Opens the reverse connection, on which the peer is the client. Call at most once.</summary>
    public ReverseFrameTransport OpenReverse(long maxWaitingBytes)
    {
        var transport = new ReverseFrameTransport(this, maxWaitingBytes);
        Volatile.Write(ref _reverse, transport);
        if (IsClosed)
            transport.End(null);
        return transport;
    }

    /// <summary>Sends bytes of the reverse connection.</summary>
    /// <returns>Whether more data may follow immediately; null if the connection is closed.</returns>
    public bool? TrySendReverse(ReadOnlySpan<byte> bytes)
    {
        var frame = FrameBuffer.Rent();
        frame.Begin(RpcFrameKind.Reverse, FrameFlags.None, 0);
        BulkCopy.Copy(bytes, frame.GetSpan(bytes.Length));
        frame.Advance(bytes.Length);
        frame.Finish();
        var isSent = SendQueue.TrySend(frame, isBusy: false);
        frame.Return();
        return isSent ? !SendQueue.IsOver : null;
    }

    /// <summary>Waits while too many bytes are unsent.</summary>
    /// <remarks>Also completes when the connection ends; later sends are dropped.</remarks>
    public ValueTask WaitForRoomAsync(CancellationToken ct)
    {
        if (!SendQueue.IsProbablyOver || IsClosed)
            return default;
        var room = Volatile.Read(ref _room);
        if (room is null)
        {
            var made = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            room = Interlocked.CompareExchange(ref _room, made, null) ?? made;
        }

        // A drain that happened in the meantime has not seen the waiter.
        if (MayResume)
            SignalRoom();
        return new(room.Task.WaitAsync(ct));
    }

    /// <summary>Closes the connection and fails its pending calls. Idempotent.</summary>
    public void Close(RpcException reason)
    {
        if (Interlocked.Exchange(ref _isClosed, 1) != 0)
            return;
        SendQueue.Dispose();
        Transport.Dispose();
        var reverse = Volatile.Read(ref _reverse);
        reverse?.End(reason);
        reverse?.Resume();
        OnClosed(reason);
        SignalRoom();
        _ended.TrySetResult();
    }

    public void Dispose() => Close(new RpcException(RpcStatus.Unavailable, "The connection was closed."));

    /// <summary>Handles a frame.</summary>
    /// <returns>The work to run because of it, or null.</returns>
    /// <exception cref="RpcException">The peer broke the protocol: the connection is closed.</exception>
    protected abstract IThreadPoolWorkItem? OnFrame(RpcFrameKind kind, FrameFlags flags, uint call, in ReadOnlySequence<byte> body);

    /// <summary>Called once when the connection has ended.</summary>
    protected abstract void OnClosed(RpcException reason);

    /// <summary>Reports the protocol violation to the peer before the connection is closed.</summary>
    protected virtual void OnBroken(RpcException reason)
    {
    }

    /// <summary>Receives bytes of the reverse connection.</summary>
    /// <exception cref="RpcException">There is no such connection, or it has too many unread bytes.</exception>
    protected void ReceiveReverse(in ReadOnlySequence<byte> body)
    {
        if (Volatile.Read(ref _reverse) is not { } reverse)
            throw new RpcException(RpcStatus.ProtocolError, "Received a reverse frame, but no operations are served in this direction.");
        if (!reverse.TryFeed(body))
            throw new RpcException(RpcStatus.TooLarge, "The reverse connection exceeded its receive limit.");
    }

    /// <summary>Sets the maximum message size for the peer. Call on the receiving thread.</summary>
    protected void AllowMessages(int maxBytes)
        => _maxFrameBytes = (int)Math.Min(int.MaxValue - FrameFormat.HeaderBytes, (long)maxBytes + FrameFormat.MaxOverheadBytes);

    private void SignalRoom() => Interlocked.Exchange(ref _room, null)?.TrySetResult();

    private void Receive()
    {
        while (true)
        {
            // Taken before the read is issued: after that, another thread may be running here.
            var last = _last;
            _last = null;
            if (SendQueue.IsOver)
            {
                // The peer sends requests without reading the responses: nothing more is read from it until it does.
                Volatile.Write(ref _isPaused, 1);
                if (SendQueue.IsOver || Interlocked.Exchange(ref _isPaused, 0) == 0)
                {
                    Run(last);
                    return;
                }
            }

            try
            {
                if (Transport.Receive(_buffer, _end, _buffer.Length - _end))
                {
                    Run(last);
                    return;
                }
            }
            catch (ObjectDisposedException)
            {
                ReturnBuffer();
                Run(last);
                return;
            }

            if (last is not null)
                ThreadPool.UnsafeQueueUserWorkItem(last, preferLocal: false);
            if (!TryTake())
                return;
        }
    }

    // Thread-local state that user code leaves behind must not affect the next call.
    private static void Run(IThreadPoolWorkItem? last)
    {
        if (last is null)
            return;
        var (context, synchronization) = (ExecutionContext.Capture(), SynchronizationContext.Current);
        last.Execute();
        if (ExecutionContext.IsFlowSuppressed() && context is not null)
            ExecutionContext.RestoreFlow();
        if (context is not null && !ReferenceEquals(ExecutionContext.Capture(), context))
            ExecutionContext.Restore(context);
        if (!ReferenceEquals(SynchronizationContext.Current, synchronization))
            SynchronizationContext.SetSynchronizationContext(synchronization);
    }

    private void Resume()
    {
        Volatile.Read(ref _reverse)?.Resume();
        SignalRoom();
        if (Interlocked.Exchange(ref _isPaused, 0) != 0)
            ThreadPool.UnsafeQueueUserWorkItem(static self => self.Receive(), this, preferLocal: false);
    }

    private void Received()
    {
        if (TryTake())
            Receive();
    }

    private bool TryTake()
    {
        if (Transport.Received == 0)
        {
            if (Transport.ReceiveFailure is RpcException { Status: not RpcStatus.Unavailable } misused)
                OnBroken(misused);
            Close(Transport.ReceiveFailure is not { } failure
                ? new(RpcStatus.Unavailable, "The connection was closed by the peer.")
                : failure as RpcException ?? new(RpcStatus.Unavailable, $"The connection was lost: {failure.Message}", failure));
            ReturnBuffer();
            return false;
        }

        _end += Transport.Received;
        try
        {
            ProcessFrames();
            Transport.IsBusy = IsBusy;
            return true;
        }
        catch (RpcException broken)
        {
            OnBroken(broken);
            Close(broken);
            ReturnBuffer();
            if (_last is { } last)
                ThreadPool.UnsafeQueueUserWorkItem(last, preferLocal: false);
            return false;
        }
    }

    private void ProcessFrames()
    {
        while (_end - _start >= FrameFormat.LengthBytes)
        {
            var length = BinaryPrimitives.ReadUInt32LittleEndian(_buffer.AsSpan(_start));
            if (length < FrameFormat.MinLength)
                throw new RpcException(RpcStatus.ProtocolError, $"Frame length {length} is below the minimum of {FrameFormat.MinLength}.");
            if (length > (uint)_maxFrameBytes)
                throw new RpcException(RpcStatus.TooLarge, $"A frame of {length} bytes exceeds the limit {_maxFrameBytes}.");
            var whole = (int)length + FrameFormat.LengthBytes;
            if (_end - _start < whole)
            {
                Reserve(whole);
                return;
            }

            ProcessFrame(whole);
        }

        if (_start == _end)
        {
            (_start, _end) = (0, 0);
            if (_buffer.Length > MaxKeptBytes)
            {
                ArrayPool<byte>.Shared.Return(_buffer);
                _buffer = ArrayPool<byte>.Shared.Rent(BufferBytes);
            }
        }
        else if (_buffer.Length - _end < FrameFormat.HeaderBytes)
        {
            Reserve(FrameFormat.HeaderBytes);
        }
    }

    private void ProcessFrame(int whole)
    {
        var head = _buffer.AsSpan(_start + FrameFormat.LengthBytes);
        var (kind, flags) = ((RpcFrameKind)head[0], (FrameFlags)head[1]);
        if ((flags & ~FrameFlags.All) != 0)
            throw new RpcException(RpcStatus.ProtocolError, $"Unknown frame flags 0x{(byte)flags:X2}.");
        var body = new ReadOnlySequence<byte>(_buffer, _start + FrameFormat.HeaderBytes, whole - FrameFormat.HeaderBytes);
        var next = OnFrame(kind, flags, BinaryPrimitives.ReadUInt32LittleEndian(head[2..]), body);
        _start += whole;
        if (next is null)
            return;
        if (_last is not null)
            ThreadPool.UnsafeQueueUserWorkItem(_last, preferLocal: false);
        _last = next;
    }

    // At most twice the received amount is rented in advance: a length alone allocates nothing.
    private void Reserve(int whole)
    {
        var have = _end - _start;
        if (_buffer.Length >= whole)
        {
            if (_start > 0 && _buffer.Length - _start < whole)
            {
                BulkCopy.Copy(_buffer.AsSpan(_start, have), _buffer);
                (_start, _end) = (0, have);
            }

            return;
        }

        if (_start > 0)
        {
            BulkCopy.Copy(_buffer.AsSpan(_start, have), _buffer);
            (_start, _end) = (0, have);
        }

        if (have < _buffer.Length)
            return;
        var larger = ArrayPool<byte>.Shared.Rent((int)Math.Min(whole, (long)_buffer.Length * 2));
        BulkCopy.Copy(_buffer.AsSpan(0, have), larger);
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = larger;
    }

    // Only called by the receiving side, so that no read writes into a buffer that has another owner.
    private void ReturnBuffer()
    {
        var buffer = Interlocked.Exchange(ref _buffer, []);
        if (buffer.Length > 0)
            ArrayPool<byte>.Shared.Return(buffer);
    }
}
