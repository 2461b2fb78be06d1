using Postrider.Envelopes;
using Postrider.Serialization;

namespace Postrider.Transports;

/// <summary>Sends messages of one type along their route with changed properties.</summary>
internal abstract class RouteSender
{
    internal abstract ValueTask<MessageProperties> SendAsync(
        object message, CallOrigin? origin, Func<MessageProperties, MessageProperties>? change, CancellationToken ct);
}

/// <inheritdoc/>
internal sealed class RouteSender<TMessage>(ITransport transport, ISerializerProvider serializers, SendTarget target) : RouteSender
{
    private readonly EnvelopeSerializer<TMessage> _messages = new(serializers);
    private readonly MessageSender _sender = OutgoingProperties.Open(transport, target, typeof(TMessage), response: null);

    internal override async ValueTask<MessageProperties> SendAsync(
        object message, CallOrigin? origin, Func<MessageProperties, MessageProperties>? change, CancellationToken ct)
    {
        var (body, contentType) = _messages.Write((TMessage)message);
        var properties = OutgoingProperties.Of((TMessage)message, contentType, origin, _sender.Target);
        if (change is not null)
            properties = change(properties);
        await OutgoingProperties.SendAsync(_sender, _sender as ScopedMessageSender, in properties, body, origin, ct).ConfigureAwait(false);
        return properties;
    }
}
