// Hot path: Kestrel -> this -> FrameTransportStream. Allocations: none for a request.
using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Server.Polling;

/// <summary>Collects the bytes written between two flushes and sends them with the flush, usually in one call.</summary>
internal sealed class FrameTransportPipeWriter(FrameTransportStream stream) : PipeWriter
{
    private const int FirstBytes = 16 * 1024;
    private const int NextBytes = 64 * 1024;

    private readonly Queue<ArraySegment<byte>> _full = [];
    private byte[]? _open;
    private int _openLength;
    private long _unflushed;
    private bool _isCompleted;
    private bool _isFlushing;
    private bool _isBroken;
    private volatile bool _isCanceled;

    public override bool CanGetUnflushedBytes => true;

    public override long UnflushedBytes => _unflushed;

    public override void Advance(int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, (_open?.Length ?? 0) - _openLength);
        _openLength += bytes;
        _unflushed += bytes;
    }

    public override Memory<byte> GetMemory(int sizeHint = 0) => Room(sizeHint).AsMemory(_openLength);

    public override Span<byte> GetSpan(int sizeHint = 0) => Room(sizeHint).AsSpan(_openLength);

    public override void CancelPendingFlush() => _isCanceled = true;

    public override void Complete(Exception? exception = null)
    {
        _isCompleted = true;
        // A block being sent is returned when the send completes.
        if (!_isFlushing)
            ReturnAll();
    }

    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        if (_isCanceled)
        {
            _isCanceled = false;
            return new(new FlushResult(isCanceled: true, _isBroken));
        }

        if (_isBroken)
            ReturnAll();
        if (_unflushed == 0)
            return new(new FlushResult(isCanceled: false, _isBroken));
        _isFlushing = true;
        if (_full.Count > 0)
            return WaitAsync(null, cancellationToken);
        var writing = stream.WriteAsync(_open.AsMemory(0, _openLength), cancellationToken);
        return writing.IsCompletedSuccessfully ? new(Flushed()) : WaitAsync(writing, cancellationToken);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<FlushResult> WaitAsync(ValueTask? begun, CancellationToken ct)
    {
        try
        {
            if (begun is { } writing)
            {
                await writing.ConfigureAwait(false);
                return new FlushResult(isCanceled: false, _isBroken);
            }

            Close();
            foreach (var segment in _full)
                await stream.WriteAsync(segment, ct).ConfigureAwait(false);
        }
        catch (IOException)
        {
            // The reader of the connection receives the reason.
            _isBroken = true;
        }
        finally
        {
            ReturnAll();
            _isFlushing = false;
        }

        return new FlushResult(isCanceled: false, _isBroken);
    }

    private FlushResult Flushed()
    {
        ReturnAll();
        _isFlushing = false;
        return new(isCanceled: false, _isBroken);
    }

    private byte[] Room(int sizeHint)
    {
        if (_isCompleted)
            throw new InvalidOperationException("The connection is closed for writing.");
        if (_open is not null && _open.Length - _openLength >= Math.Max(sizeHint, 1))
            return _open;
        var isFirst = _open is null;
        Close();
        return _open = ArrayPool<byte>.Shared.Rent(Math.Max(sizeHint, isFirst ? FirstBytes : NextBytes));
    }

    private void Close()
    {
        if (_open is not null)
            _full.Enqueue(new(_open, 0, _openLength));
        (_open, _openLength) = (null, 0);
    }

    private void ReturnAll()
    {
        Close();
        while (_full.TryDequeue(out var segment))
            ArrayPool<byte>.Shared.Return(segment.Array!);
        _unflushed = 0;
    }
}
