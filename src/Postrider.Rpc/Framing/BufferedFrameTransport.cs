using System.Buffers;
using Postrider.Memory;

namespace Postrider.Rpc.Framing;

/// <summary>A transport whose received bytes are pushed into it.</summary>
internal abstract class BufferedFrameTransport : FrameTransport, IThreadPoolWorkItem
{
    // The minimum overhead of a pooled array and its queue entry.
    private const int ChunkOverheadBytes = 64;

    private readonly long _maxWaitingBytes;

    // Guards the fields below; no other lock is taken while it is held.
    private readonly Lock _gate = new();
    private readonly Queue<ArraySegment<byte>> _waiting = [];
    private ArraySegment<byte> _target;
    private int _taken;
    private bool _isReceiving;
    private bool _isEnded;
    private long _waitingBytes;
    private Exception? _failure;

    /// <summary>Creates an empty transport.</summary>
    /// <param name="maxWaitingBytes">The limit of unread bytes; more is rejected, because the sender exceeded its window.</param>
    protected BufferedFrameTransport(long maxWaitingBytes) => _maxWaitingBytes = maxWaitingBytes;

    /// <summary>Pushes received bytes. They are copied.</summary>
    /// <returns>False if too many bytes are waiting.</returns>
    public bool TryFeed(in ReadOnlySequence<byte> bytes)
    {
        lock (_gate)
        {
            if (_isEnded || bytes.IsEmpty)
                return true;
            if (_waitingBytes + bytes.Length + ((_waiting.Count + 1L) * ChunkOverheadBytes) > _maxWaitingBytes)
                return false;
            var length = (int)bytes.Length;
            var copy = ArrayPool<byte>.Shared.Rent(length);
            bytes.CopyTo(copy);
            _waiting.Enqueue(new(copy, 0, length));
            _waitingBytes += length;
            if (!_isReceiving)
                return true;
            Deliver();
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        return true;
    }

    /// <summary>Signals the end, after the bytes pushed before.</summary>
    /// <param name="failure">Why; null when the peer closed.</param>
    public void End(Exception? failure)
    {
        lock (_gate)
        {
            if (_isEnded)
                return;
            (_isEnded, _failure) = (true, failure);
            if (!_isReceiving)
                return;
            Deliver();
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    public override bool Receive(byte[] buffer, int offset, int count)
    {
        lock (_gate)
        {
            (_target, _isReceiving) = (new(buffer, offset, count), true);
            if (_waiting.Count == 0 && !_isEnded)
                return true;
            Deliver();
            return false;
        }
    }

    /// <summary>Notifies the receiver. Called by the thread pool.</summary>
    public void Execute() => OnReceived();

    public override void Dispose() => End(new ObjectDisposedException(nameof(BufferedFrameTransport)));

    private void Deliver()
    {
        var given = 0;
        while (given < _target.Count && _waiting.TryPeek(out var next))
        {
            var part = Math.Min(next.Count - _taken, _target.Count - given);
            BulkCopy.Copy(next.AsSpan(_taken, part), _target.AsSpan(given));
            given += part;
            _taken += part;
            if (_taken < next.Count)
                break;
            ArrayPool<byte>.Shared.Return(_waiting.Dequeue().Array!);
            _taken = 0;
        }

        _waitingBytes -= given;

        Received = given;
        ReceiveFailure = given == 0 ? _failure : null;
        (_target, _isReceiving) = (default, false);
    }
}
