// Hot path: HttpClient, Kestrel -> this -> FrameTransport. Allocations: none.
using System.Buffers;
using System.Runtime.InteropServices;
using System.Threading.Tasks.Sources;
using Postrider.Memory;

namespace Postrider.Rpc.Framing;

/// <summary>A transport as a stream, for other protocols such as HTTP. At most one read and one write at a time.</summary>
/// <remarks>Continuations of reads run on the receiving thread. Cancelling a read or a write closes the transport, because it is unknown
/// how much was transferred.</remarks>
internal sealed class FrameTransportStream : Stream
{
    private readonly FrameTransport _transport;
    private readonly Wait _reading = new();
    private readonly Wait _writing = new();
    private byte[]? _readBuffer;
    private Memory<byte> _readTarget;
    private byte[]? _writeBuffer;
    private ArraySegment<byte> _left;
    private int _isDisposed;

    /// <summary>Creates a stream that owns a transport.</summary>
    public FrameTransportStream(FrameTransport transport)
    {
        _transport = transport;
        transport.OnReceived = Received;
        transport.OnSent = Sent;
    }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<int>(cancellationToken);
        if (buffer.Length == 0)
            return new(0);
        var segment = SegmentOf(buffer);
        var task = _reading.Begin(this, cancellationToken);
        try
        {
            if (!_transport.Receive(segment.Array!, segment.Offset, segment.Count))
                Received();
        }
        catch (ObjectDisposedException closed)
        {
            _reading.Fail(Failed(closed));
        }

        return task;
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (buffer.Length > 0)
            _ = await Write(buffer, cancellationToken).ConfigureAwait(false);
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => ReadAsync(buffer.AsMemory(offset, count)).AsTask().GetAwaiter().GetResult();

    public override void Write(byte[] buffer, int offset, int count) => WriteAsync(buffer.AsMemory(offset, count)).AsTask().GetAwaiter().GetResult();

    public override void Flush()
    {
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing && Interlocked.Exchange(ref _isDisposed, 1) == 0)
            _transport.Dispose();
        base.Dispose(disposing);
    }

    private static IOException Failed(Exception cause) => new(cause.Message, cause);

    private ValueTask<int> Write(ReadOnlyMemory<byte> buffer, CancellationToken ct)
    {
        if (MemoryMarshal.TryGetArray(buffer, out var segment))
        {
            _left = segment;
        }
        else
        {
            _writeBuffer = ArrayPool<byte>.Shared.Rent(buffer.Length);
            buffer.CopyTo(_writeBuffer);
            _left = new(_writeBuffer, 0, buffer.Length);
        }

        var task = _writing.Begin(this, ct);
        try
        {
            ContinueWriting();
        }
        catch (ObjectDisposedException closed)
        {
            EndWriting(Failed(closed));
        }

        return task;
    }

    private void ContinueWriting()
    {
        while (!_transport.Send(_left.Array!, _left.Offset, _left.Count))
        {
            if (IsWritten())
                return;
        }
    }

    private void Sent()
    {
        try
        {
            if (!IsWritten())
                ContinueWriting();
        }
        catch (ObjectDisposedException closed)
        {
            EndWriting(Failed(closed));
        }
    }

    private bool IsWritten()
    {
        if (_transport.SendFailure is { } failure)
        {
            EndWriting(Failed(failure));
            return true;
        }

        _left = _left[_transport.Sent..];
        if (_left.Count > 0)
            return false;
        EndWriting(null);
        return true;
    }

    private void EndWriting(IOException? failure)
    {
        _left = default;
        if (_writeBuffer is { } rented)
            ArrayPool<byte>.Shared.Return(rented);
        _writeBuffer = null;
        if (failure is null)
            _writing.End(0);
        else
            _writing.Fail(failure);
    }

    private ArraySegment<byte> SegmentOf(Memory<byte> buffer)
    {
        if (MemoryMarshal.TryGetArray<byte>(buffer, out var segment))
            return segment;
        _readTarget = buffer;
        _readBuffer = ArrayPool<byte>.Shared.Rent(buffer.Length);
        return new(_readBuffer, 0, buffer.Length);
    }

    private void Received()
    {
        var count = _transport.Received;
        if (_readBuffer is { } rented)
        {
            if (count > 0)
                BulkCopy.Copy(rented.AsSpan(0, count), _readTarget.Span);
            ArrayPool<byte>.Shared.Return(rented);
            (_readBuffer, _readTarget) = (null, default);
        }

        if (count == 0 && _transport.ReceiveFailure is { } failure)
            _reading.Fail(Failed(failure));
        else
            _reading.End(count);
    }

    // The reusable operation of one direction.
    private sealed class Wait : IValueTaskSource<int>
    {
        private ManualResetValueTaskSourceCore<int> _core;
        private CancellationTokenRegistration _registration;
        private CancellationToken _token;

        public ValueTask<int> Begin(FrameTransportStream stream, CancellationToken ct)
        {
            _core.Reset();
            _token = ct;
            if (ct.CanBeCanceled)
                _registration = ct.UnsafeRegister(static state => ((FrameTransportStream)state!).Dispose(), stream);
            return new(this, _core.Version);
        }

        public void End(int count) => _core.SetResult(count);

        public void Fail(IOException failure)
            => _core.SetException(_token.IsCancellationRequested ? new OperationCanceledException(failure.Message, failure, _token) : failure);

        public int GetResult(short token)
        {
            var registration = _registration;
            _registration = default;
            registration.Dispose();
            return _core.GetResult(token);
        }

        public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

        public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
            => _core.OnCompleted(continuation, state, token, flags);
    }
}
