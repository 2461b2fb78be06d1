// Hot path: SocketInvoker, ServerCall -> this -> FrameTransport. Allocations: none.
using System.Buffers;
using Postrider.Memory;

namespace Postrider.Rpc.Framing;

/// <summary>The send queue of a transport. The caller that adds to an idle queue sends; frames added meanwhile go with the next
/// write.</summary>
/// <remarks>Shape: small frames are copied into 64 KiB buffers, large frames are queued with their own buffer. Buffers come from the pool
/// and are returned when they are sent. Thread-safe.</remarks>
internal sealed class FrameSendQueue : IThreadPoolWorkItem, IDisposable
{
    private const int BufferBytes = 64 * 1024;

    // Above this size, copying costs more than a separate write.
    private const int MaxCopiedBytes = 16 * 1024;

    private readonly FrameTransport _transport;
    private readonly Action<Exception?> _onFailed;
    private readonly Action _onDrained;
    private readonly long _maxPendingBytes;

    // Guards the fields below; no other lock is taken while it is held.
    private readonly Lock _gate = new();
    private readonly Queue<ArraySegment<byte>> _full = [];
    private byte[]? _open;
    private int _openLength;
    private long _pending;
    private bool _isSending;
    private bool _isClosed;
    private volatile bool _isOver;

    // Only used by the sender.
    private ArraySegment<byte> _current;

    /// <summary>Creates the queue of a transport.</summary>
    /// <param name="transport">Connected; not owned.</param>
    /// <param name="maxPendingBytes">From here on <see cref="IsOver"/>.</param>
    /// <param name="onDrained">Called, outside of locks, when the queue is below its limit again.</param>
    /// <param name="onFailed">Called, outside of locks, when the transport fails.</param>
    public FrameSendQueue(FrameTransport transport, long maxPendingBytes, Action onDrained, Action<Exception?> onFailed)
    {
        (_transport, _maxPendingBytes, _onDrained, _onFailed) = (transport, maxPendingBytes, onDrained, onFailed);
        transport.OnSent = Completed;
    }

    /// <summary>Whether more bytes are unsent than the limit allows.</summary>
    public bool IsOver
    {
        get
        {
            lock (_gate)
                return _isOver;
        }
    }

    /// <summary>Like <see cref="IsOver"/> but without a lock, for callers that check again before waiting.</summary>
    public bool IsProbablyOver => _isOver;

    /// <summary>Enqueues a finished frame and sends it.</summary>
    /// <param name="frame">The frame; its buffer may be taken over.</param>
    /// <param name="isBusy">Other frames will follow soon: sending is scheduled on the thread pool, so that they are sent together.</param>
    /// <returns>False when it is closed.</returns>
    public bool TrySend(FrameBuffer frame, bool isBusy)
    {
        bool isFirst;
        lock (_gate)
        {
            if (_isClosed)
                return false;
            _pending += frame.Length;
            _isOver |= _pending > _maxPendingBytes;
            Add(frame);
            isFirst = !_isSending;
            _isSending = true;
        }

        if (isFirst)
        {
            if (isBusy)
                ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
            else
                Send();
        }

        return true;
    }

    /// <summary>Sends the queued frames. Called by the thread pool.</summary>
    public void Execute() => Send();

    /// <summary>Rejects further frames. A running send ends with the transport.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_isClosed)
                return;
            _isClosed = true;
            while (_full.TryDequeue(out var buffer))
                ArrayPool<byte>.Shared.Return(buffer.Array!);
            if (_open is not null)
                ArrayPool<byte>.Shared.Return(_open);
            _open = null;
        }
    }

    /// <summary>Whether all frames have been passed to the transport.</summary>
    public bool IsIdle
    {
        get
        {
            lock (_gate)
                return _isClosed || !_isSending;
        }
    }

    private void Add(FrameBuffer frame)
    {
        if (frame.Length > MaxCopiedBytes)
        {
            CloseOpen();
            var length = frame.Length;
            _full.Enqueue(new(frame.Detach(), 0, length));
            return;
        }

        if (_open is null || _open.Length - _openLength < frame.Length)
        {
            CloseOpen();
            _open = ArrayPool<byte>.Shared.Rent(BufferBytes);
        }

        BulkCopy.Copy(frame.Written, _open.AsSpan(_openLength));
        _openLength += frame.Length;
    }

    private void CloseOpen()
    {
        if (_open is not null)
            _full.Enqueue(new(_open, 0, _openLength));
        (_open, _openLength) = (null, 0);
    }

    private void Send()
    {
        while (true)
        {
            if (_current.Count == 0 && !TryTake())
                return;

            try
            {
                if (_transport.Send(_current.Array!, _current.Offset, _current.Count))
                    return;
            }
            catch (ObjectDisposedException closed)
            {
                Fail(closed);
                return;
            }

            if (!Account())
                return;
        }
    }

    private void Completed()
    {
        if (Account())
            Send();
    }

    private bool Account()
    {
        if (_transport.SendFailure is { } failure)
        {
            Fail(failure);
            return false;
        }

        var sent = _transport.Sent;
        _current = new(_current.Array!, _current.Offset + sent, _current.Count - sent);
        if (_current.Count == 0)
            ArrayPool<byte>.Shared.Return(_current.Array!);
        bool hasDrained;
        lock (_gate)
        {
            _pending -= sent;
            hasDrained = _isOver && _pending < _maxPendingBytes / 2;
            if (hasDrained)
                _isOver = false;
        }

        if (hasDrained)
            _onDrained();
        return true;
    }

    private bool TryTake()
    {
        lock (_gate)
        {
            if (!_isClosed)
            {
                if (_full.Count == 0)
                    CloseOpen();
                if (_full.TryDequeue(out _current))
                    return true;
            }

            _isSending = false;
            return false;
        }
    }

    private void Fail(Exception cause)
    {
        if (_current.Count > 0)
            ArrayPool<byte>.Shared.Return(_current.Array!);
        _current = default;
        Dispose();
        lock (_gate)
            _isSending = false;
        _onFailed(cause);
    }
}
