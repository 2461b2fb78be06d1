// Hot path: consumers -> this -> InternalPublisher. Allocations: none once its buffer has grown.
using System.Runtime.InteropServices;
using Postrider.Broker.Subjects;
using Postrider.Memory;
using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Messages written down under a lock, to be published after it.</summary>
/// <remarks>Publishing may reach another service with a lock of its own, so it is never done under one.
/// Shape: per message five lengths and the five parts. Not thread-safe; <see cref="PublishQueue"/> orders what several
/// threads add.</remarks>
internal sealed class MessageBuffer
{
    // What a burst left behind is given back.
    private const int KeptBytes = 256 * 1024;
    private const int Parts = 5;
    private const int HeadBytes = Parts * sizeof(int);

    private byte[] _buffer = [];
    private int _length;

    /// <summary>Messages that wait.</summary>
    public int Count { get; private set; }

    /// <summary>Their bytes.</summary>
    public int Bytes => _length;

    /// <summary>Adds a message that shows the subject it is sent to.</summary>
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

    /// <summary>Takes the messages of another over, which is empty afterwards.</summary>
    public void AddAll(MessageBuffer other)
    {
        if (_length == 0)
        {
            (_buffer, other._buffer) = (other._buffer, _buffer);
        }
        else
        {
            if (_buffer.Length - _length < other._length) Array.Resize(ref _buffer, Math.Max(_length + other._length, _buffer.Length * 2));
            other._buffer.AsSpan(0, other._length).CopyTo(_buffer.AsSpan(_length));
        }
        _length += other._length;
        Count += other.Count;
        other.Clear();
    }

    /// <summary>Publishes and forgets what waits.</summary>
    public void Publish(SubjectTree<Subscription> tree, SendBatch batch)
    {
        var at = 0;
        var step = WorkStep.Begin();
        while (!Publish(tree, batch, ref at, step))
        {
            // All of it, whatever it takes.
        }
    }

    /// <summary>Publishes what waits, or part of it, and forgets it when all of it is published.</summary>
    /// <param name="tree">The account's subscriptions.</param>
    /// <param name="batch">Gets the messages.</param>
    /// <param name="at">Where to begin: 0 at first; then where the rest begins.</param>
    /// <param name="step">When it is over the rest is left; some messages are published even if it is over already.</param>
    /// <returns>False when some are left.</returns>
    public bool Publish(SubjectTree<Subscription> tree, SendBatch batch, ref int at, WorkStep step)
    {
        var isLeft = false;
        try
        {
            while (TryRead(ref at, out var message))
            {
                InternalPublisher.Publish(tree, message.Subject, message.ShownSubject, message.ReplyTo, message.Headers, message.Payload, batch);
                if (step.EndsAfterPart() && at < _length) return !(isLeft = true);
            }
            return true;
        }
        finally
        {
            // What threw once is not published again.
            if (!isLeft)
            {
                at = 0;
                Clear();
            }
        }
    }

    /// <summary>Reads one message after another; valid until the buffer changes.</summary>
    /// <param name="at">Where to read: 0 for the first message; then where the next one is.</param>
    /// <param name="message">The message.</param>
    /// <returns>False behind the last one.</returns>
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

    /// <summary>Forgets what waits.</summary>
    public void Clear()
    {
        _length = 0;
        Count = 0;
        if (_buffer.Length > KeptBytes) _buffer = [];
    }

    private void Grow(int needed)
    {
        var min = (long)_length + needed;
        if (min > Array.MaxLength) throw new InvalidOperationException($"Messages of {min} bytes are waiting to be published; the limit is {Array.MaxLength}.");
        Array.Resize(ref _buffer, (int)Math.Min(Array.MaxLength, Math.Max(min, Math.Max(4096, 2L * _buffer.Length))));
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
