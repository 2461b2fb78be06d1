// Hot path: TlsConnection -> SslStream -> this -> Outbox of the socket. Allocations: none once the handshake is over.
using System.Buffers;
using System.Threading.Tasks.Sources;
using Postrider.Memory;

namespace Postrider.Sockets;

/// <summary>The encrypted side of a TLS connection as the stream that <see cref="System.Net.Security.SslStream"/> works on.</summary>
/// <remarks>
/// Reads return one record at a time, so that the stream above never holds the front of the next one. During the handshake
/// received bytes are copied into a queue and the reader continues on another thread; after it the reading thread offers the bytes in place and
/// the reader continues on that thread. Writes append to the outbox of the socket and never wait.
/// </remarks>
/// <param name="outbox">The outbox of the socket.</param>
/// <param name="gate">Guards the queue and the waiting reader during the handshake.</param>
/// <param name="waitsLocked">Called under the gate when a reader begins to wait during the handshake.</param>
internal sealed unsafe class CipherStream(Outbox outbox, Lock gate, Action waitsLocked) : Stream, IValueTaskSource<int>
{
    private readonly SendLane _lane = outbox.CreateLane();

    // Guards the lane and whether a batch is written: a reader may have to answer while a writer writes.
    private readonly Lock _laneGate = new();
    private bool _isBatching;
    private ManualResetValueTaskSourceCore<int> _read;
    private Memory<byte> _target;
    private bool _waits;
    private bool _ended;
    private volatile bool _isDirect;

    // The queue of the handshake: the bytes from _queueStart to _queueEnd.
    private byte[] _queue = [];
    private int _queueStart;
    private int _queueEnd;

    // The bytes offered by the reading thread, after the handshake.
    private byte* _offered;
    private int _offeredBytes;

    // The remaining bytes of the record that is being returned.
    private int _recordBytes;

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Whether a reader waits for bytes. During the handshake under the gate.</summary>
    public bool IsWaiting => _waits;

    /// <summary>The total number of bytes received during the handshake.</summary>
    public int QueuedInAll { get; private set; }

    /// <summary>The offered bytes that were not read yet.</summary>
    public int OfferedBytes => _offeredBytes;

    /// <summary>Queues bytes of the handshake. Under the gate.</summary>
    /// <returns>Whether the waiting reader can continue: call <see cref="Serve"/>.</returns>
    public bool AddLocked(ReadOnlySpan<byte> input)
    {
        QueuedInAll += input.Length;
        if (_queue.Length - _queueEnd < input.Length)
        {
            var kept = _queue.AsSpan(_queueStart, _queueEnd - _queueStart);
            var grown = ArrayPool<byte>.Shared.Rent(Math.Max(4096, kept.Length + input.Length));
            kept.CopyTo(grown);
            ReturnQueue();
            (_queue, _queueStart, _queueEnd) = (grown, 0, kept.Length);
        }
        input.CopyTo(_queue.AsSpan(_queueEnd));
        _queueEnd += input.Length;
        return _waits && ReadyBytesLocked() > 0;
    }

    /// <summary>Lets the waiting reader continue, on this thread.</summary>
    public void Serve()
    {
        int taken;
        lock (gate)
        {
            if (!_waits) return;
            taken = TakeQueuedLocked(_target.Span);
            if (taken == 0 && _target.Length > 0 && !_ended) return;
            _waits = false;
            _target = default;
        }
        _read.SetResult(taken);
    }

    /// <summary>Ends the reading: the other side is gone.</summary>
    public void End()
    {
        lock (gate) _ended = true;
        if (_isDirect) ServeOffered();
        else Serve();
    }

    /// <summary>Switches from the handshake's queue to offered bytes. Called by the thread that read last.</summary>
    /// <returns>The bytes that were received after the handshake.</returns>
    public byte[] GoDirect()
    {
        lock (gate)
        {
            _isDirect = true;
            var rest = _queue.AsSpan(_queueStart, _queueEnd - _queueStart).ToArray();
            ReturnQueue();
            (_queue, _queueStart, _queueEnd) = ([], 0, 0);
            return rest;
        }
    }

    /// <summary>Offers whole records to the reader. Called by the reading thread, which ends the offer with <see cref="Withdraw"/>.</summary>
    public void Offer(byte* bytes, int count)
    {
        _offered = bytes;
        _offeredBytes = count;
    }

    /// <summary>Ends an offer.</summary>
    public void Withdraw() => Offer(null, 0);

    /// <summary>Lets a reader that waits for offered bytes continue, on this thread.</summary>
    public void ServeOffered()
    {
        if (!_waits || (_offeredBytes == 0 && !_ended)) return;
        _waits = false;
        var taken = TakeOffered(_target.Span);
        _target = default;
        _read.SetResult(taken);
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_isDirect)
        {
            if (_offeredBytes > 0 || _ended) return new ValueTask<int>(TakeOffered(buffer.Span));
            return Wait(buffer);
        }
        lock (gate)
        {
            if (_ended || ReadyBytesLocked() > 0) return new ValueTask<int>(TakeQueuedLocked(buffer.Span));
            var wait = Wait(buffer);
            waitsLocked();
            return wait;
        }
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Append(buffer.Span);
        return default;
    }

    /// <summary>Holds what is written from now on, until <see cref="EndBatch"/> sends it at once.</summary>
    public void BeginBatch()
    {
        lock (_laneGate) _isBatching = true;
    }

    /// <summary>Sends what was written since <see cref="BeginBatch"/>.</summary>
    public void EndBatch()
    {
        lock (_laneGate)
        {
            _isBatching = false;
            _lane.Submit();
        }
        outbox.Send();
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        => WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Write(byte[] buffer, int offset, int count) => Append(buffer.AsSpan(offset, count));

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException("Received bytes are only handed out asynchronously.");

    public override void Flush()
    {
        // The outbox sends by itself.
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    int IValueTaskSource<int>.GetResult(short token) => _read.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _read.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
        => _read.OnCompleted(continuation, state, token, flags);

    private void Append(ReadOnlySpan<byte> bytes)
    {
        bool sends;
        lock (_laneGate)
        {
            _lane.Write(bytes);
            // Bytes outside of a batch, such as an alert, are sent at once: no later send might follow.
            sends = !_isBatching;
            if (sends) _lane.Submit();
        }
        if (sends) outbox.Send();
    }

    private ValueTask<int> Wait(Memory<byte> buffer)
    {
        _read.Reset();
        _target = buffer;
        _waits = true;
        return new ValueTask<int>(this, _read.Version);
    }

    // The number of bytes that can be returned now: the rest of a record that was begun, or a whole one.
    private int ReadyBytesLocked()
    {
        var queued = _queueEnd - _queueStart;
        if (_recordBytes > 0) return Math.Min(_recordBytes, queued);
        var record = TlsRecord.LengthOf(_queue.AsSpan(_queueStart, queued));
        // Bytes that are not a record are returned too: the reader rejects them.
        if (record < 0) return queued;
        return record > 0 && record <= queued ? record : 0;
    }

    private int TakeQueuedLocked(Span<byte> target)
    {
        var ready = ReadyBytesLocked();
        if (_recordBytes == 0) _recordBytes = ready;
        var taken = Math.Min(target.Length, ready);
        _queue.AsSpan(_queueStart, taken).CopyTo(target);
        _queueStart += taken;
        _recordBytes -= taken;
        return taken;
    }

    private int TakeOffered(Span<byte> target)
    {
        var offered = new ReadOnlySpan<byte>(_offered, _offeredBytes);
        if (_recordBytes == 0) _recordBytes = TlsRecord.LengthOf(offered) is > 0 and var record ? record : _offeredBytes;
        var taken = Math.Min(target.Length, Math.Min(_recordBytes, _offeredBytes));
        BulkCopy.Copy(offered[..taken], target);
        _offered += taken;
        _offeredBytes -= taken;
        _recordBytes -= taken;
        return taken;
    }

    private void ReturnQueue()
    {
        if (_queue.Length > 0) ArrayPool<byte>.Shared.Return(_queue);
    }
}
