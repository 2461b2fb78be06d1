// Hot path: Subscription.Deliver -> this -> Outbox. Allocations: none (chunks are pooled).
using System.Runtime.CompilerServices;
using Postrider.Memory;

namespace Postrider.Sockets;

/// <summary>Bytes that one writer has written for one outbox and not submitted yet.</summary>
/// <remarks>
/// Not thread-safe: it belongs to one <see cref="SendBatch"/>, or to a client that guards it with its own lock.
/// Bytes are written in order; <see cref="Submit"/> appends them to the outbox as one piece.
/// </remarks>
public sealed unsafe class SendLane
{
    private readonly SendBatch? _batch;
    private Chunk? _first;
    private Chunk? _last;
    private byte* _position;
    private byte* _limit;

    // The end of the last completed message, in the first chunk; null when none was completed since the last submit.
    private byte* _completed;
    private int _fullBytes;
    private bool _large;
    private bool _touched;
    private bool _isUnsent;

    internal SendLane(Outbox outbox, SendBatch? batch)
    {
        Outbox = outbox;
        _batch = batch;
    }

    /// <summary>The outbox that <see cref="Submit"/> appends to.</summary>
    public Outbox Outbox { get; }

    /// <summary>Messages counted by the writer; read by monitoring without a lock.</summary>
    public long Messages { get; set; }

    /// <summary>Message bytes counted by the writer; read by monitoring without a lock.</summary>
    public long MessageBytes { get; set; }

    /// <summary>The bytes that are not submitted yet.</summary>
    public int UnsubmittedBytes => _fullBytes + (_last is null ? 0 : (int)(_position - _last.Memory));

    /// <summary>Reserves contiguous memory.</summary>
    /// <param name="bytes">1 to 64 KiB.</param>
    /// <returns>A span of that length to fill; its bytes count once <see cref="Advance"/> is called.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> Reserve(int bytes)
    {
        if (_limit - _position < bytes) Grow(bytes);
        return new Span<byte>(_position, bytes);
    }

    /// <summary>Counts bytes that were written into the reserved memory.</summary>
    /// <param name="bytes">At most the reserved number.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int bytes) => _position += bytes;

    /// <summary>Writes any number of bytes, over several chunks if needed.</summary>
    /// <param name="bytes">Copied.</param>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        while (true)
        {
            var room = (int)(_limit - _position);
            if (bytes.Length <= room)
            {
                BulkCopy.Copy(bytes, new Span<byte>(_position, room));
                _position += bytes.Length;
                return;
            }
            if (room > 0 && _large)
            {
                BulkCopy.Copy(bytes[..room], new Span<byte>(_position, room));
                _position += room;
                bytes = bytes[room..];
            }
            Grow(Math.Min(bytes.Length, ChunkPool.LargeBytes));
        }
    }

    /// <summary>
    /// Ends a message of a batch's lane: bytes leave a lane only here or at a flush, so that the messages of several
    /// writers never mix. A lane with full chunks is sent at once; a batch with too many bytes is flushed.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CompleteMessage()
    {
        _completed = _position;
        if (_fullBytes > 0 || _batch!.IsFull) SendEarly();
    }

    /// <summary>Appends the bytes to the outbox; <see cref="Outbox.Send()"/> sends them.</summary>
    public void Submit()
    {
        if (_last is null) return;
        var (first, last, bytes) = Detach();
        _isUnsent = true;
        Outbox.Append(first, last, bytes);
    }

    /// <summary>Appends the bytes to the outbox and sends, unless another thread is sending already.</summary>
    public void SubmitAndSend()
    {
        if (_last is null)
        {
            if (_isUnsent) SendSubmitted();
            return;
        }
        _isUnsent = false;
        var (first, last, bytes) = Detach();
        Outbox.AppendAndSend(first, last, bytes);
    }

    /// <summary>Submits and sends at the end of a batch, after which the lane is no longer on the batch's list.</summary>
    internal void Finish()
    {
        _touched = false;
        SubmitAndSend();
    }

    /// <summary>Discards everything after the last completed message.</summary>
    internal void DropIncomplete()
    {
        if (_first is null) return;
        if (_completed is null)
        {
            ChunkPool.ReturnAll(_first);
            Forget();
            return;
        }
        // A lane with more than one chunk was submitted when its message was completed, so the end is in the first.
        if (_first.Next is { } rest) ChunkPool.ReturnAll(rest);
        _first.Next = null;
        _last = _first;
        _position = _completed;
        _limit = _last.Memory + _last.Capacity;
        _fullBytes = 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void SendSubmitted()
    {
        _isUnsent = false;
        Outbox.Send();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void SendEarly()
    {
        if (_batch!.IsFull)
        {
            _batch.FlushEarly();
            return;
        }
        SubmitAndSend();
    }

    private (Chunk First, Chunk Last, int Bytes) Detach()
    {
        _last!.End = (int)(_position - _last.Memory);
        var detached = (_first!, _last, _fullBytes + _last.End);
        // A lane whose batches are larger than a few frames begins the next one with a large chunk.
        _large = detached.Item3 > ChunkPool.SmallBytes / 2;
        Forget();
        return detached;
    }

    private void Forget()
    {
        _first = _last = null;
        _position = _limit = _completed = null;
        _fullBytes = 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int bytes)
    {
        if (!_touched)
        {
            _touched = true;
            _batch?.Touch(this);
        }
        if (_last is null)
        {
            Begin(ChunkPool.Rent(_large ? ChunkPool.LargeBytes : bytes));
            _first = _last;
            return;
        }
        var used = (int)(_position - _last.Memory);
        var next = ChunkPool.Rent(ChunkPool.LargeBytes);
        if (_last.Capacity < ChunkPool.LargeBytes && used + bytes <= ChunkPool.LargeBytes)
        {
            // The small chunk was too small: continue in a large one, in one piece.
            BulkCopy.Copy(new ReadOnlySpan<byte>(_last.Memory, used), new Span<byte>(next.Memory, used));
            var small = _last;
            if (_completed is not null) _completed = next.Memory + (_completed - small.Memory);
            Begin(next);
            _first = next;
            _position += used;
            ChunkPool.Return(small);
            _large = true;
            return;
        }
        _last.End = used;
        _fullBytes += used;
        _last.Next = next;
        Begin(next);
        _large = true;
    }

    private void Begin(Chunk chunk)
    {
        _last = chunk;
        _position = chunk.Memory;
        _limit = chunk.Memory + chunk.Capacity;
        _batch?.AddUnflushed(chunk.Capacity);
    }
}
