using Postrider.Broker.Routing;
using Postrider.Memory;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams.Queues;

/// <summary>A copy of a message for an internal subscriber, to be handled later.</summary>
/// <remarks>A large payload is in an array of the shared pool until the message was passed: many at once would be garbage of the
/// oldest generation.</remarks>
internal sealed class OwnedMessage
{
    private const int PooledBytes = 64 * 1024;

    private readonly IPublishingClient? _publisher;
    private readonly byte[] _subject;
    private readonly byte[] _headers;
    private readonly int _payloadLength;
    private byte[] _payload;

    /// <summary>Copies a message.</summary>
    public OwnedMessage(
        IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        _publisher = publisher;
        _subject = subject.ToArray();
        ReplyTo = replyTo.ToArray();
        _headers = headers.ToArray();
        _payload = payload.Length < PooledBytes ? new byte[payload.Length] : PooledBufferWriter.Rent(payload.Length);
        BulkCopy.Copy(payload, _payload);
        _payloadLength = payload.Length;
    }

    /// <summary>The subject.</summary>
    public ReadOnlySpan<byte> Subject => _subject;

    /// <summary>The reply subject; empty for none.</summary>
    public byte[] ReplyTo { get; }

    /// <summary>Its size in bytes: subject, reply subject, headers and payload.</summary>
    public int Bytes => _subject.Length + ReplyTo.Length + _headers.Length + _payloadLength;

    /// <summary>Passes the message to a handler, once; its exceptions are passed to its <c>OnFailed</c>.</summary>
    public void Pass(IInternalSubscriber handler, SendBatch batch)
    {
        var payload = _payload;
        _payload = [];
        HandlerInvoker.Invoke(handler, _publisher, _subject, ReplyTo, _headers, payload.AsSpan(0, _payloadLength), batch);
        if (_payloadLength >= PooledBytes) PooledBufferWriter.Return(payload);
    }
}
