using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams.Queues;

/// <summary>A copy of a message for an internal subscriber, to be handled later.</summary>
internal sealed class OwnedMessage
{
    private readonly IPublishingClient? _publisher;
    private readonly byte[] _subject;
    private readonly byte[] _headers;
    private readonly byte[] _payload;

    /// <summary>Copies a message.</summary>
    public OwnedMessage(
        IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        _publisher = publisher;
        _subject = subject.ToArray();
        ReplyTo = replyTo.ToArray();
        _headers = headers.ToArray();
        _payload = payload.ToArray();
    }

    /// <summary>The subject.</summary>
    public ReadOnlySpan<byte> Subject => _subject;

    /// <summary>The reply subject; empty for none.</summary>
    public byte[] ReplyTo { get; }

    /// <summary>Its size in bytes: subject, reply subject, headers and payload.</summary>
    public int Bytes => _subject.Length + ReplyTo.Length + _headers.Length + _payload.Length;

    /// <summary>Passes the message to a handler, whose exceptions are passed to its <c>OnFailed</c>.</summary>
    public void Pass(IInternalSubscriber handler, SendBatch batch) => HandlerInvoker.Invoke(handler, _publisher, _subject, ReplyTo, _headers, _payload, batch);
}
