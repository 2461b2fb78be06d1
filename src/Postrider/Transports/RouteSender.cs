using Postrider.Envelopes;
using Postrider.Serialization;

namespace Postrider.Transports;

/// <summary>Sends messages of one type along their route with changed properties.</summary>
internal abstract class RouteSender
{
    /// <summary>Whether messages are written into the transaction of the scope that they are sent in.</summary>
    internal abstract bool IsScoped { get; }

    /// <summary>The longest delay of a message.</summary>
    internal abstract TimeSpan MaxDelay { get; }

    internal abstract ValueTask<MessageProperties> SendAsync(
        object message, CallOrigin? origin, Func<MessageProperties, MessageProperties>? change, CancellationToken ct);

    /// <summary>Writes a message without sending it.</summary>
    internal abstract (MessageProperties Properties, ReadOnlyMemory<byte> Body) Write(object message, CallOrigin? origin);

    /// <summary>Sends a serialized message.</summary>
    internal abstract ValueTask SendAsync(MessageProperties properties, ReadOnlyMemory<byte> body, CallOrigin? origin, CancellationToken ct);
}

/// <inheritdoc/>
internal sealed class RouteSender<TMessage>(ITransport transport, ISerializerProvider serializers, SendTarget target) : RouteSender
{
    private readonly EnvelopeSerializer<TMessage> _messages = new(serializers);
    private readonly MessageSender _sender = OutgoingProperties.Open(transport, target, typeof(TMessage), response: null);

    internal override bool IsScoped => _sender is ScopedMessageSender;

    internal override TimeSpan MaxDelay => _sender.MaxDelay;

    internal override async ValueTask<MessageProperties> SendAsync(
        object message, CallOrigin? origin, Func<MessageProperties, MessageProperties>? change, CancellationToken ct)
    {
        var (properties, body) = Write(message, origin);
        if (change is not null)
            properties = change(properties);
        await SendAsync(properties, body, origin, ct).ConfigureAwait(false);
        return properties;
    }

    internal override (MessageProperties Properties, ReadOnlyMemory<byte> Body) Write(object message, CallOrigin? origin)
    {
        var (body, contentType) = _messages.Write((TMessage)message);
        return (OutgoingProperties.Of((TMessage)message, contentType, origin, _sender.Target), body);
    }

    internal override async ValueTask SendAsync(MessageProperties properties, ReadOnlyMemory<byte> body, CallOrigin? origin, CancellationToken ct)
    {
        try
        {
            await OutgoingProperties.SendAsync(_sender, _sender as ScopedMessageSender, in properties, body, origin, ct).ConfigureAwait(false);
        }
        catch (PostriderException failure) when (RouteErrors.LacksRoute(failure, _sender.Target))
        {
            throw RouteErrors.WithRoute(failure, typeof(TMessage), _sender.Target);
        }
    }
}
