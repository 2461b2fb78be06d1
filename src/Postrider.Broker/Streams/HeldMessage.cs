using Postrider.Broker.Routing;
using Postrider.Wire.Sockets;

namespace Postrider.Broker.Streams;

/// <summary>A message for one of the broker's services, copied to be handled later.</summary>
internal sealed class HeldMessage
{
    private readonly IPublisher? _publisher;
    private readonly byte[] _subject;
    private readonly byte[] _headers;
    private readonly byte[] _payload;

    /// <summary>Copies a message.</summary>
    public HeldMessage(
        IPublisher? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        _publisher = publisher;
        _subject = subject.ToArray();
        ReplyTo = replyTo.ToArray();
        _headers = headers.ToArray();
        _payload = payload.ToArray();
    }

    /// <summary>The subject.</summary>
    public ReadOnlySpan<byte> Subject => _subject;

    /// <summary>Where an answer goes; empty for nowhere.</summary>
    public byte[] ReplyTo { get; }

    /// <summary>Hands it over.</summary>
    public void Pass(IMessageHandler handler, SendBatch batch) => handler.Handle(_publisher, _subject, ReplyTo, _headers, _payload, batch);
}
