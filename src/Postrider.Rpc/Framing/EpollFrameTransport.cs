// Hot path: EpollReactor -> this -> FrameConnection, FrameSendQueue; these -> this -> recv, send. Allocations: none.
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Postrider.Sockets;

namespace Postrider.Rpc.Framing;

/// <summary>A TCP or Unix domain socket driven by the <see cref="EpollReactor"/>. Linux only.</summary>
/// <remarks>Each direction has a state: drained, possibly ready, or waiting. The thread that leaves the state "waiting" continues the operation:
/// the reactor after an event, or the disposal of the transport. Events are edge-triggered, and a read that returned less than the buffer
/// size has drained the socket.</remarks>
internal sealed class EpollFrameTransport : FrameTransport, IThreadPoolWorkItem
{
    private const int Drained = 0;
    private const int MayBeReady = 1;
    private const int Waiting = 2;

    private readonly EpollReactor _reactor = EpollReactor.Shared;
    private readonly Socket _socket;
    private readonly SafeSocketHandle _handle;
    private ArraySegment<byte> _receiving;
    private ArraySegment<byte> _sending;
    private int _in = MayBeReady;
    private int _out;
    private volatile bool _hasPeerEnded;
    private int _isDisposed;
    private TaskCompletionSource? _connecting;

    /// <summary>Takes over a connected socket that has not been used asynchronously by the framework.</summary>
    public EpollFrameTransport(Socket socket)
        : this(socket, SocketFrameTransport.PeerName(socket.RemoteEndPoint))
        => _reactor.Add(this, wantsWritable: false);

    private EpollFrameTransport(Socket socket, string peer)
    {
        (_socket, _handle, Peer) = (socket, socket.SafeHandle, peer);
        Descriptor = (int)_handle.DangerousGetHandle();
        if (socket.AddressFamily != AddressFamily.Unix)
            socket.NoDelay = true;
    }

    public override string Peer { get; }

    /// <summary>The file descriptor, open as long as the transport is registered with the reactor.</summary>
    public int Descriptor { get; }

    /// <summary>The key of the registration with the reactor.</summary>
    public ulong Key { get; set; }

    /// <summary>Used by the reactor only.</summary>
    public InlineBudget InlineBudget;

    /// <summary>Connects.</summary>
    /// <param name="endPoint">An address or a path, not a host name.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <exception cref="SocketException">Nothing listens there, or the host does not respond.</exception>
    public static async Task<EpollFrameTransport> ConnectAsync(EndPoint endPoint, CancellationToken ct)
    {
        // An IPv6 socket rejects an IPv4-mapped address of this form.
        if (endPoint is IPEndPoint { Address.IsIPv4MappedToIPv6: true } mapped)
            endPoint = new IPEndPoint(mapped.Address.MapToIPv4(), mapped.Port);
        var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, endPoint.AddressFamily == AddressFamily.Unix ? ProtocolType.Unspecified : ProtocolType.Tcp);
        EpollFrameTransport? transport = null;
        try
        {
            // The framework's own connect would make its threads wait for events of this socket permanently.
            transport = new EpollFrameTransport(socket, SocketFrameTransport.PeerName(endPoint));
            if (!transport.TryConnect(endPoint))
            {
                var connecting = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                transport._connecting = connecting;
                transport._reactor.Add(transport, wantsWritable: true);
                await connecting.Task.WaitAsync(ct).ConfigureAwait(false);
                transport._reactor.Change(transport, wantsWritable: false);
            }
            else
            {
                transport._reactor.Add(transport, wantsWritable: false);
            }

            return transport;
        }
        catch
        {
            transport?.Dispose();
            socket.Dispose();
            throw;
        }
    }

    public override bool Receive(byte[] buffer, int offset, int count)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _isDisposed) != 0, this);
        _receiving = new(buffer, offset, count);
        return Interlocked.CompareExchange(ref _in, Waiting, Drained) == Drained ? !TryAbortReceive() : !TryReceive();
    }

    public override bool Send(byte[] buffer, int offset, int count)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _isDisposed) != 0, this);
        _sending = new(buffer, offset, count);
        return !TrySend();
    }

    public override void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        if (Key != 0)
            _reactor.Remove(this);
        _socket.Dispose();
        _connecting?.TrySetCanceled();
        if (TryAbortReceive())
            ThreadPool.UnsafeQueueUserWorkItem(static self => self.OnReceived(), this, preferLocal: false);
        if (TryAbortSend())
            ThreadPool.UnsafeQueueUserWorkItem(static self => self.OnSent(), this, preferLocal: false);
    }

    /// <summary>Records events.</summary>
    /// <returns>The operations that the caller must continue with <see cref="Handle"/> or <see cref="QueueToThreadPool"/>.</returns>
    public ReadyEvents OnEvents(uint events)
    {
        if (_connecting is not null)
            return (events & (Libc.EpollOut | Libc.EpollError | Libc.EpollHangUp)) != 0 ? ReadyEvents.Connect : ReadyEvents.Nothing;
        var ready = ReadyEvents.Nothing;
        if ((events & (Libc.EpollPeerHangUp | Libc.EpollError | Libc.EpollHangUp)) != 0)
            _hasPeerEnded = true;
        if ((events & (Libc.EpollIn | Libc.EpollPeerHangUp | Libc.EpollError | Libc.EpollHangUp)) != 0 && TryClaimReceive())
            ready |= ReadyEvents.Receive;
        if ((events & (Libc.EpollOut | Libc.EpollError | Libc.EpollHangUp)) != 0 && Interlocked.CompareExchange(ref _out, Drained, Waiting) == Waiting)
            ready |= ReadyEvents.Send;
        return ready;
    }

    /// <summary>Continues the operations on this thread.</summary>
    public void Handle(ReadyEvents ready)
    {
        if ((ready & ReadyEvents.Connect) != 0)
            Connected();
        // The continuation of the first may block until the second has run.
        if ((ready & ReadyEvents.Send) != 0 && (ready & ReadyEvents.Receive) != 0)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        else if ((ready & ReadyEvents.Receive) != 0)
            Execute();
        if ((ready & ReadyEvents.Send) != 0)
            ContinueSending();
    }

    /// <summary>Continues the operations on the thread pool.</summary>
    public void QueueToThreadPool(ReadyEvents ready)
    {
        if ((ready & ReadyEvents.Connect) != 0)
            Connected();
        if ((ready & ReadyEvents.Send) != 0)
            ThreadPool.UnsafeQueueUserWorkItem(static self => self.ContinueSending(), this, preferLocal: false);
        if ((ready & ReadyEvents.Receive) != 0)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Continues to receive. Called by the thread pool.</summary>
    public void Execute()
    {
        if (TryReceive())
            OnReceived();
    }

    private static SocketException Aborted() => new((int)SocketError.OperationAborted);

    private bool TryClaimReceive()
    {
        while (true)
        {
            switch (Interlocked.CompareExchange(ref _in, MayBeReady, Drained))
            {
                case Waiting when Interlocked.CompareExchange(ref _in, Drained, Waiting) == Waiting:
                    return true;
                case Waiting:
                    continue;
                default:
                    return false;
            }
        }
    }

    // If a transport is closed during a wait, the thread that notices it first ends the wait.
    private bool TryAbortReceive()
    {
        if (Volatile.Read(ref _isDisposed) == 0 || Interlocked.CompareExchange(ref _in, Drained, Waiting) != Waiting)
            return false;
        (Received, ReceiveFailure) = (0, Aborted());
        return true;
    }

    private bool TryAbortSend()
    {
        if (Volatile.Read(ref _isDisposed) == 0 || Interlocked.CompareExchange(ref _out, Drained, Waiting) != Waiting)
            return false;
        SendFailure = Aborted();
        return true;
    }

    // True if it has completed or failed; false if it waits.
    private bool TryReceive()
    {
        while (true)
        {
            Interlocked.Exchange(ref _in, Drained);
            var received = Transfer(receives: true, _receiving, out var error);
            if (received >= 0)
            {
                Received = received;
                if (received == _receiving.Count || _hasPeerEnded)
                    Interlocked.CompareExchange(ref _in, MayBeReady, Drained);
                return true;
            }

            if (error is not Libc.TryAgain)
            {
                (Received, ReceiveFailure) = (0, ErrorOf(error));
                return true;
            }

            if (Interlocked.CompareExchange(ref _in, Waiting, Drained) == Drained)
                return TryAbortReceive();
        }
    }

    private void ContinueSending()
    {
        Change(wantsWritable: false);
        if (TrySend())
            OnSent();
    }

    private void Change(bool wantsWritable)
    {
        var held = false;
        try
        {
            _handle.DangerousAddRef(ref held);
            _reactor.Change(this, wantsWritable);
        }
        catch (ObjectDisposedException)
        {
            // Closing it ends pending waits.
        }
        finally
        {
            if (held)
                _handle.DangerousRelease();
        }
    }

    private bool TrySend()
    {
        var sent = Transfer(receives: false, _sending, out var error);
        if (sent >= 0)
        {
            Sent = sent;
            return true;
        }

        if (error is not Libc.TryAgain)
        {
            SendFailure = ErrorOf(error);
            return true;
        }

        Interlocked.Exchange(ref _out, Waiting);
        Change(wantsWritable: true);
        return TryAbortSend();
    }

    // The number of bytes; -1 and the system's error, 0 for a closed transport.
    private unsafe int Transfer(bool receives, ArraySegment<byte> segment, out int error)
    {
        error = 0;
        var held = false;
        try
        {
            // The descriptor's number must not be reused for another socket during the system call.
            _handle.DangerousAddRef(ref held);
            fixed (byte* bytes = segment.AsSpan())
            {
                while (true)
                {
                    var count = receives
                        ? Libc.Receive(Descriptor, bytes, (nuint)segment.Count, Libc.DontWait)
                        : Libc.Send(Descriptor, bytes, (nuint)segment.Count, Libc.DontWait | Libc.NoSignal);
                    if (count >= 0)
                        return (int)count;
                    error = Marshal.GetLastPInvokeError();
                    if (error != Libc.Interrupted)
                        return -1;
                }
            }
        }
        catch (ObjectDisposedException)
        {
            return -1;
        }
        finally
        {
            if (held)
                _handle.DangerousRelease();
        }
    }

    private static SocketException ErrorOf(int error) => error == 0 ? Aborted() : Libc.ErrorOf(error);

    private unsafe bool TryConnect(EndPoint endPoint)
    {
        _ = Libc.Control(Descriptor, Libc.SetFlags, Libc.Control(Descriptor, Libc.GetFlags, 0) | Libc.NonBlocking);
        var address = endPoint.Serialize();
        fixed (byte* bytes = address.Buffer.Span)
        {
            if (Libc.Connect(Descriptor, bytes, (uint)address.Size) == 0)
                return true;
        }

        var error = Marshal.GetLastPInvokeError();
        return error == Libc.InProgress ? false : throw Libc.ErrorOf(error);
    }

    private unsafe void Connected()
    {
        if (Interlocked.Exchange(ref _connecting, null) is not { } connecting)
            return;
        var error = 0;
        uint size = sizeof(int);
        var held = false;
        try
        {
            _handle.DangerousAddRef(ref held);
            if (Libc.GetOption(Descriptor, Libc.SocketLevel, Libc.SocketErrorOption, &error, &size) != 0)
                error = Marshal.GetLastPInvokeError();
        }
        catch (ObjectDisposedException)
        {
            // The caller of the connect has given up.
            connecting.TrySetCanceled();
            return;
        }
        finally
        {
            if (held)
                _handle.DangerousRelease();
        }

        if (error == 0)
            connecting.TrySetResult();
        else if (connecting.TrySetException(Libc.ErrorOf(error)))
            // There may be no caller left to await it.
            _ = connecting.Task.Exception;
    }
}
