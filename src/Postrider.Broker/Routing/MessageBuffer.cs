// Hot path: consumers -> this -> InternalPublisher. Allocations: none once its buffer has grown.
using System.Runtime.InteropServices;
using Postrider.Broker.Subjects;
using Postrider.Memory;
using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Messages that are collected under a lock, to be published after it is released.</summary>
/// <remarks>Publishing may reach another internal subscriber with its own lock, so it is never done under one.
/// Shape: per message five lengths and the five parts. Up to 1 MiB its memory is the shared pool's: arrays of more than 85,000 bytes would be
/// garbage of the oldest generation. Not thread-safe; <see cref="PublishQueue"/> orders the messages of several
/// threads.</remarks>
internal sealed class MessageBuffer
{
    // A larger buffer, left by a burst, is returned.
    private const int KeptBytes = 256 * 1024;
    private const int Parts = 5;
    private const int HeadBytes = Parts * sizeof(int);

    private byte[] _buffer = [];
    private int _length;

    /// <summary>The number of messages.</summary>
    public int Count { get; private set; }

    /// <summary>Their size in bytes.</summary>
    public int Bytes => _length;

    /// <summary>Adds a message whose shown subject is the one it is sent to.</summary>
    public void Add(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
        => Add(subject, subject, [], headers, payload);

    /// <summary>Adds a message: see <see cref="InternalPublisher"/>. Everything is copied.</summary>
    public void Add(
        ReadOnlySpan<byte> subject, ReadOnlySpan<byte> shownSubject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        var needed = HeadBytes + subject.Length + shownSubject.Length + replyTo.Length + headers.Length + payload.Length;
        if (_buffer.Length - _length < needed) Grow(needed);
        var target = _buffer.AsSpan(_length, needed);
        var lengths = MemoryMarshal.Cast<byte, int>(target[..HeadBytes]);
        (lengths[0], lengths[1], lengths[2], lengths[3], lengths[4]) = (subject.Length, shownSubject.Length, replyTo.Length, headers.Length, payload.Length);
        target = target[HeadBytes..];
        Put(ref target, subject);
        Put(ref target, shownSubject);
        Put(ref target, replyTo);
        Put(ref target, headers);
        Put(ref target, payload);
        _length += needed;
        Count++;
    }

    /// <summary>Moves the messages of another buffer, which is empty afterwards.</summary>
    public void AddAll(MessageBuffer other)
    {
        if (_length == 0)
        {
            (_buffer, other._buffer) = (other._buffer, _buffer);
        }
        else
        {
            if (_buffer.Length - _length < other._length) Grow(other._length);
            BulkCopy.Copy(other._buffer.AsSpan(0, other._length), _buffer.AsSpan(_length));
        }
        _length += other._length;
        Count += other.Count;
        other.Clear();
    }

    /// <summary>Publishes and removes the messages.</summary>
    public void Publish(SubjectTree<Subscription> tree, SendBatch batch)
    {
        var at = 0;
        _ = Publish(tree, batch, ref at, WorkStep.Unlimited);
    }

    /// <summary>Publishes the messages until the step is over, and removes them when all are published.</summary>
    /// <param name="tree">The account's subscriptions.</param>
    /// <param name="batch">Gets the messages.</param>
    /// <param name="at">Where to begin: 0 at first; set to where the rest begins.</param>
    /// <param name="step">Limits the time; a few messages are published in any case.</param>
    /// <returns>False when messages are left.</returns>
    public bool Publish(SubjectTree<Subscription> tree, SendBatch batch, ref int at, WorkStep step)
    {
        var isLeft = false;
        try
        {
            while (TryRead(ref at, out var message))
            {
                InternalPublisher.Publish(tree, message.Subject, message.ShownSubject, message.ReplyTo, message.Headers, message.Payload, batch);
                isLeft = step.EndsAfterPart() && at < _length;
                if (isLeft) return false;
            }
            return true;
        }
        finally
        {
            // A message that caused an exception is not published again.
            if (!isLeft)
            {
                at = 0;
                Clear();
            }
        }
    }

    /// <summary>Reads one message after another; valid until the buffer changes.</summary>
    /// <param name="at">The position: 0 for the first message; set to the next one.</param>
    /// <param name="message">The message.</param>
    /// <returns>False after the last one.</returns>
    public bool TryRead(ref int at, out CrossAccountMessage message)
    {
        message = default;
        if (at >= _length) return false;
        var lengths = MemoryMarshal.Cast<byte, int>(_buffer.AsSpan(at, HeadBytes));
        var rest = _buffer.AsSpan(at + HeadBytes);
        message = new CrossAccountMessage(Slice(ref rest, lengths[0]), Slice(ref rest, lengths[1]), Slice(ref rest, lengths[2]), Slice(ref rest, lengths[3]), Slice(ref rest, lengths[4]));
        at += HeadBytes + lengths[0] + lengths[1] + lengths[2] + lengths[3] + lengths[4];
        return true;
    }

    /// <summary>Removes the messages.</summary>
    public void Clear()
    {
        _length = 0;
        Count = 0;
        if (_buffer.Length > KeptBytes) Replace([]);
    }

    /// <summary>Removes the messages and returns all memory; the buffer may be used again.</summary>
    public void Release()
    {
        Clear();
        Replace([]);
    }

    private void Grow(int needed)
    {
        var min = (long)_length + needed;
        if (min > Array.MaxLength) throw new InvalidOperationException($"Messages of {min} bytes are waiting to be published; the limit is {Array.MaxLength}.");
        var larger = PooledBufferWriter.Rent((int)Math.Min(Array.MaxLength, Math.Max(min, Math.Max(4096, 2L * _buffer.Length))));
        BulkCopy.Copy(_buffer.AsSpan(0, _length), larger);
        Replace(larger);
    }

    private void Replace(byte[] buffer)
    {
        var before = _buffer;
        _buffer = buffer;
        PooledBufferWriter.Return(before);
    }

    private static void Put(ref Span<byte> target, ReadOnlySpan<byte> part)
    {
        BulkCopy.Copy(part, target);
        target = target[part.Length..];
    }

    private static Span<byte> Slice(scoped ref Span<byte> rest, int length)
    {
        var part = rest[..length];
        rest = rest[length..];
        return part;
    }
}
