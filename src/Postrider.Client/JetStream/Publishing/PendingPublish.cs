// Hot path: JetStreamPublisher -> this -> the caller. Allocations: none once pooled.
using System.Buffers;
using System.Threading.Tasks.Sources;
using Postrider.Memory;

namespace Postrider.Client.JetStream.Publishing;

/// <summary>A publish that waits for its acknowledgement; pooled, and the source of its own task.</summary>
/// <remarks>It keeps the payload so that it can be sent again.</remarks>
internal sealed class PendingPublish(PublishWindow window) : IValueTaskSource<PublishAck>, IBufferWriter<byte>, IThreadPoolWorkItem
{
    // A larger payload is rented and returned: there are many slots, and most messages are small.
    private const int KeptBytes = 4096;

    private ManualResetValueTaskSourceCore<PublishAck> _core;
    private byte[] _payload = [];
    private int _length;
    private bool _rented;
    private PublishAck _ack;
    private Exception? _error;

    /// <summary>The slot in the window and its generation; the last token of the reply subject.</summary>
    public long Token { get; set; }

    /// <summary>Its position in the order of all publishes.</summary>
    public long Order { get; set; }

    public string Subject { get; private set; } = "";

    public NatsHeaders? Headers { get; private set; }

    public string? MessageId { get; private set; }

    /// <summary>Whether it is not awaited: the publisher then reports its failure.</summary>
    public bool IsPosted { get; private set; }

    /// <summary>When it times out or is sent again, as a timestamp of the clock.</summary>
    public long Deadline { get; set; }

    /// <summary>Whether <see cref="Deadline"/> is the time to send it again.</summary>
    public bool IsResting { get; set; }

    public int RetriesLeft { get; set; }

    public ReadOnlySpan<byte> Payload => _payload.AsSpan(0, _length);

    public void Begin(string subject, NatsHeaders? headers, string? messageId, bool isPosted)
    {
        Subject = subject;
        Headers = headers;
        MessageId = messageId;
        IsPosted = isPosted;
        IsResting = false;
    }

    public ValueTask<PublishAck> AsTask() => new(this, _core.Version);

    /// <summary>Completes its task with the acknowledgement or the error.</summary>
    public void Complete(in PublishAck ack, Exception? error, bool inline)
    {
        _ack = ack;
        _error = error;
        if (inline) Execute();
        else ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    public void Execute()
    {
        if (_error is not null) _core.SetException(_error);
        else _core.SetResult(_ack);
    }

    public void Clear()
    {
        _core.Reset();
        _error = null;
        _ack = default;
        Headers = null;
        MessageId = null;
        _length = 0;
        if (!_rented) return;
        ArrayPool<byte>.Shared.Return(_payload);
        _payload = [];
        _rented = false;
    }

    public void Advance(int count) => _length += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Ensure(sizeHint);
        return _payload.AsMemory(_length);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Ensure(sizeHint);
        return _payload.AsSpan(_length);
    }

    PublishAck IValueTaskSource<PublishAck>.GetResult(short token)
    {
        try
        {
            return _core.GetResult(token);
        }
        finally
        {
            window.Return(this);
        }
    }

    ValueTaskSourceStatus IValueTaskSource<PublishAck>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<PublishAck>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
        => _core.OnCompleted(continuation, state, token, flags);

    private void Ensure(int bytes)
    {
        var needed = _length + Math.Max(1, bytes);
        if (_payload.Length >= needed) return;
        var grows = needed > KeptBytes;
        var larger = grows ? ArrayPool<byte>.Shared.Rent(Math.Max(needed, _length * 2)) : new byte[Math.Max(needed, Math.Min(KeptBytes, _payload.Length * 2))];
        BulkCopy.Copy(Payload, larger);
        if (_rented) ArrayPool<byte>.Shared.Return(_payload);
        _payload = larger;
        _rented = grows;
    }
}
