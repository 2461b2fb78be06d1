// Hot path: StreamPublishHandler, SendBatch.Flush -> this -> MessageStream.Commit, InternalPublisher. Allocations: none once its buffer has grown.
using System.Buffers.Text;
using System.Runtime.InteropServices;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Memory;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>The acknowledgements of the messages that one read of one connection brought to a stream; sent after one write for all of them.</summary>
/// <remarks>One per stream and <see cref="SendBatch"/>; only used by the batch's thread.</remarks>
internal sealed class PubAckBatch(MessageStream stream) : IFlushCallback
{
    // A larger buffer, left by a burst, is released.
    private const int KeptBytes = 256 * 1024;
    private const int HeadBytes = 2 * sizeof(int) + sizeof(ulong);

    // The payload of an acknowledgement that only contains its sequence is written when it is sent.
    private const int SequenceOnly = -1;

    // The sequence of an acknowledgement whose message was lost before its commit.
    private const ulong Lost = ulong.MaxValue;

    private byte[] _buffer = [];
    private int _length;
    private bool _isQueued;
    private long _rollbacks;

    /// <summary>When the first message of the batch arrived: the timestamp of all of them. Nanoseconds since 1970.</summary>
    public long Now { get; private set; }

    /// <summary>Has the stream's messages committed at the end of the batch. The stream's lock is held.</summary>
    public void Join(SendBatch batch)
    {
        if (_isQueued)
        {
            if (_rollbacks != stream.Effects.Rollbacks) MarkLost();
            return;
        }
        _isQueued = true;
        Now = stream.Services.Clock.Now;
        _rollbacks = stream.Effects.Rollbacks;
        batch.BeforeFlush(this);
    }

    /// <summary>Acknowledges a stored message once it is committed.</summary>
    public void Acknowledge(ReadOnlySpan<byte> replyTo, ulong sequence) => Add(replyTo, sequence, [], isSequenceOnly: true);

    /// <summary>Acknowledges a stored message, with more information than its sequence.</summary>
    public void Acknowledge(ReadOnlySpan<byte> replyTo, ulong sequence, ReadOnlySpan<byte> payload) => Add(replyTo, sequence, payload, isSequenceOnly: false);

    /// <summary>Responds to a message that was not stored.</summary>
    public void Answer(ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> payload) => Add(replyTo, 0, payload, isSequenceOnly: false);

    /// <inheritdoc/>
    public void BeforeFlush(SendBatch batch)
    {
        _isQueued = false;
        try
        {
            var commit = stream.Commit(this, batch);
            if (commit.IsDurable)
            {
                Send(batch);
            }
            else if (_length > 0)
            {
                stream.DurableAcks.Add(commit.Number, new PendingAcks(this, _buffer, _length));
                _buffer = [];
                _length = 0;
            }
            stream.Announce(batch);
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // The thread that flushes serves every connection: an exception ends the service of this stream, not the thread.
            stream.Fail(error);
            _length = 0;
        }
    }

    /// <summary>Turns acknowledgements of messages that the store has lost since into failures. The stream's lock is held.</summary>
    public void MarkLost()
    {
        if (_rollbacks == stream.Effects.Rollbacks) return;
        var above = stream.Effects.LostAbove(_rollbacks);
        _rollbacks = stream.Effects.Rollbacks;
        for (var rest = _buffer.AsSpan(0, _length); !rest.IsEmpty;)
        {
            var lengths = MemoryMarshal.Cast<byte, int>(rest[..(2 * sizeof(int))]);
            var next = HeadBytes + lengths[0] + Math.Max(lengths[1], 0);
            if (MemoryMarshal.Read<ulong>(rest[(2 * sizeof(int))..]) > above) MemoryMarshal.Write(rest[(2 * sizeof(int))..], Lost);
            rest = rest[next..];
        }
    }

    /// <summary>Sends acknowledgements that waited for the disk.</summary>
    public void Send(PendingAcks held, bool failed, SendBatch batch) => Send(held.Buffer.AsSpan(0, held.Length), failed, batch);

    private void Send(SendBatch batch)
    {
        if (_length == 0) return;
        // A response may be published to the stream again, on this thread and with this batch: it must find an empty buffer.
        var (buffer, length) = (_buffer, _length);
        _buffer = [];
        _length = 0;
        Send(buffer.AsSpan(0, length), failed: false, batch);
        if (_buffer.Length < buffer.Length && _length == 0 && buffer.Length <= KeptBytes) _buffer = buffer;
    }

    private void Send(ReadOnlySpan<byte> rest, bool failed, SendBatch batch)
    {
        var tree = stream.Services.Subscriptions;
        Span<byte> acknowledgement = stackalloc byte[stream.AckPrefix.Length + 24];
        stream.AckPrefix.CopyTo(acknowledgement);
        byte[]? failure = null;
        while (!rest.IsEmpty)
        {
            var lengths = MemoryMarshal.Cast<byte, int>(rest[..(2 * sizeof(int))]);
            var sequence = MemoryMarshal.Read<ulong>(rest[(2 * sizeof(int))..]);
            var replyTo = rest.Slice(HeadBytes, lengths[0]);
            var payloadBytes = Math.Max(lengths[1], 0);
            scoped var payload = rest.Slice(HeadBytes + lengths[0], payloadBytes);
            if (sequence == Lost || (failed && sequence != 0))
            {
                payload = failure ??= stream.RenderStoreFailure();
            }
            else if (lengths[1] == SequenceOnly)
            {
                _ = Utf8Formatter.TryFormat(sequence, acknowledgement[stream.AckPrefix.Length..], out var digits);
                var length = stream.AckPrefix.Length + digits;
                acknowledgement[length++] = (byte)'}';
                payload = acknowledgement[..length];
            }
            InternalPublisher.Publish(tree, replyTo, payload, batch);
            rest = rest[(HeadBytes + lengths[0] + payloadBytes)..];
        }
    }

    private void Add(ReadOnlySpan<byte> replyTo, ulong sequence, ReadOnlySpan<byte> payload, bool isSequenceOnly)
    {
        if (replyTo.IsEmpty) return;
        var needed = HeadBytes + replyTo.Length + payload.Length;
        if (_buffer.Length - _length < needed) Array.Resize(ref _buffer, Math.Max(_length + needed, Math.Max(4096, _buffer.Length * 2)));
        var target = _buffer.AsSpan(_length, needed);
        MemoryMarshal.Write(target, replyTo.Length);
        MemoryMarshal.Write(target[sizeof(int)..], isSequenceOnly ? SequenceOnly : payload.Length);
        MemoryMarshal.Write(target[(2 * sizeof(int))..], sequence);
        replyTo.CopyTo(target[HeadBytes..]);
        BulkCopy.Copy(payload, target[(HeadBytes + replyTo.Length)..]);
        _length += needed;
    }
}
