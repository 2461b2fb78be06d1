using System.Buffers;
using System.Net;
using System.Net.Sockets;

namespace Postrider.Sockets;

/// <summary>A socket served by the framework's completions, on threads of the pool.</summary>
#pragma warning disable CA1001 // The socket ends with Close; the event's memory is the outbox's, and nothing here holds a handle.
internal sealed class SocketConnection : Connection
#pragma warning restore CA1001
{
    private const int ReadBytes = 64 * 1024;

    private readonly SocketEngine _engine;
    private readonly Socket _socket;
    private readonly UnmanagedMemory _sending = new();
    // True: completions need no execution context, so none is captured.
    private readonly SocketAsyncEventArgs _send = new(true);
    private readonly SemaphoreSlim _resumed = new(0);
    private ReceiveBuffer _buffer;
    private ITimer? _lingerTimer;
    private int _begun;
    private bool _isUnfinished;

    public SocketConnection(Socket socket, SocketEngine engine)
        : base(engine.Batches, engine.Time)
    {
        _socket = socket;
        _engine = engine;
        RemoteEndPoint = socket.RemoteEndPoint;
        LocalEndPoint = socket.LocalEndPoint;
        _send.Completed += (_, _) => OnSent();
    }

    public override EndPoint? RemoteEndPoint { get; }

    public override EndPoint? LocalEndPoint { get; }

    internal override TransmitResult Transmit(ReadOnlySpan<Segment> segments, out int sentBytes)
    {
        sentBytes = 0;
        try
        {
            _sending.Point(segments[0]);
            _send.SetBuffer(_sending.Memory);
            if (_socket.SendAsync(_send)) return TransmitResult.UnderWay;
        }
        catch (ObjectDisposedException)
        {
            return TransmitResult.Failed;
        }
        if (_send.SocketError == SocketError.Success)
        {
            sentBytes = _send.BytesTransferred;
            return TransmitResult.Done;
        }
        Close(CloseReason.WriteError, new SocketException((int)_send.SocketError));
        return TransmitResult.Failed;
    }

    internal override void AwaitWritable() => throw new InvalidOperationException("A send over the framework's sockets never blocks.");

    private protected override void BeginReading()
    {
        if (Interlocked.Exchange(ref _begun, 1) == 0) _ = Task.Run(ReadLoopAsync);
    }

    private protected override void ReadingChanged()
    {
        if (!IsPaused) _resumed.Release();
    }

    private protected override void Shutdown()
    {
        _engine.Remove(this);
        _resumed.Release();
        try
        {
            // Not disposed during a call of the reading loop: the framework would end that call with a reset, and bytes that
            // the other side has not read yet would be lost.
            _socket.Shutdown(Lingers ? SocketShutdown.Send : SocketShutdown.Both);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // The other side closed first.
        }
        if (Lingers)
            _lingerTimer = _engine.Time.CreateTimer(static state => ((Socket)state!).Dispose(), _socket, LongestLinger, Timeout.InfiniteTimeSpan);
        if (Interlocked.Exchange(ref _begun, 1) == 0) _ = Task.Run(FinishAsync);
    }

    private void OnSent()
    {
        if (_send.SocketError != SocketError.Success)
        {
            Close(CloseReason.WriteError, new SocketException((int)_send.SocketError));
            Outbox.Release();
            return;
        }
        Outbox.Continue(_send.BytesTransferred);
    }

    private async Task ReadLoopAsync()
    {
        var (reason, error) = (CloseReason.ByPeer, (Exception?)null);
        try
        {
            while (!IsClosed)
            {
                await AwaitResumedAsync().ConfigureAwait(false);
                if (_isUnfinished)
                {
                    // Other connections' turn.
                    await Task.Yield();
                    if (!IsPaused && !IsClosed) Deliver(0, default);
                    continue;
                }
                // Waits without a buffer, so that an idle connection holds none.
                await _socket.ReceiveAsync(Memory<byte>.Empty).ConfigureAwait(false);
                if (IsPaused) continue;
                if (!await ReadOnceAsync().ConfigureAwait(false)) break;
            }
        }
        catch (SocketException failed)
        {
            (reason, error) = (CloseReason.ReadError, failed);
        }
        catch (ObjectDisposedException)
        {
            reason = CloseReason.ByUs;
        }
        if (reason == CloseReason.ByPeer && !IsClosed)
        {
            await EndByPeerAsync().ConfigureAwait(false);
            return;
        }
        Close(reason, error);
        await FinishAsync().ConfigureAwait(false);
    }

    // The thread that closes the connection after everything was sent ends it, as if it had never read.
    private async Task EndByPeerAsync()
    {
        Interlocked.Exchange(ref _begun, 0);
        EndByPeer();
        if (IsClosed && Interlocked.Exchange(ref _begun, 1) == 0) await FinishAsync().ConfigureAwait(false);
    }

    private async Task FinishAsync()
    {
        _buffer.Release();
        if (Lingers)
        {
            EndReading();
            await DiscardAsync().ConfigureAwait(false);
        }
        if (_lingerTimer is { } timer) await timer.DisposeAsync().ConfigureAwait(false);
        _socket.Dispose();
        EndReading();
    }

    // Until the other side closes too, or the timer ends the wait by disposing the socket.
    private async Task DiscardAsync()
    {
        var dropped = ArrayPool<byte>.Shared.Rent(ReadBytes);
        try
        {
            while (await _socket.ReceiveAsync(dropped.AsMemory()).ConfigureAwait(false) > 0)
            {
                // It is no longer needed.
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // Ended in another way.
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(dropped);
        }
    }

    private async ValueTask AwaitResumedAsync()
    {
        while (IsPaused && !IsClosed) await _resumed.WaitAsync().ConfigureAwait(false);
    }

    private async ValueTask<bool> ReadOnceAsync()
    {
        var inPlace = _buffer.Length > 0;
        var rented = inPlace ? null : ArrayPool<byte>.Shared.Rent(ReadBytes);
        try
        {
            var room = inPlace ? _buffer.GetRoom(ReadBytes) : rented;
            var received = await _socket.ReceiveAsync(room).ConfigureAwait(false);
            if (received == 0) return false;
            Deliver(received, inPlace ? default : room.Span[..received]);
            return true;
        }
        finally
        {
            if (rented is not null) ArrayPool<byte>.Shared.Return(rented);
        }
    }

    // Bytes that were received in place are after the kept ones already.
    private void Deliver(int received, ReadOnlySpan<byte> elsewhere)
    {
        var batch = Batches.Rent();
        batch.Begin();
        try
        {
            if (elsewhere.IsEmpty) _buffer.ReceiveKept(received, Receiver!, batch);
            else _buffer.Receive(elsewhere, Receiver!, batch);
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
