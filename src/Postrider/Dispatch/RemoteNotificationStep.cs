// Hot path: PublishPipeline -> this -> MessageSender. Allocations: the body's buffer where the transport suspends.
using System.Buffers;
using System.Runtime.CompilerServices;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Dispatch;

/// <summary>Sends a notification through a transport instead of calling handlers of this container.</summary>
internal sealed class RemoteNotificationStep<TNotification> : NotificationInvoker
{
    private readonly EnvelopeSerializer<TNotification> _notifications;
    private readonly MessageSender _sender;
    private readonly ScopedMessageSender? _scoped;

    internal RemoteNotificationStep(ITransport transport, ISerializerProvider serializers, SendTarget target)
    {
        _notifications = new(serializers);
        _sender = OutgoingProperties.Open(transport, target, typeof(TNotification), response: null);
        _scoped = _sender as ScopedMessageSender;
    }

    public override ValueTask Invoke(object notification, object? state, CancellationToken ct)
    {
        var body = BodyBuffers.Rent();
        ValueTask sent;
        try
        {
            var contentType = _notifications.Write((TNotification)notification, body);
            sent = OutgoingProperties.SendAsync(_sender, _scoped, OutgoingProperties.Of((TNotification)notification, contentType, state, _sender.Target), body.WrittenMemory, state, ct);
        }
        catch
        {
            BodyBuffers.Return(body);
            throw;
        }

        if (!sent.IsCompletedSuccessfully)
            return SendAsync(sent, body);
        BodyBuffers.Return(body);
        return sent;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask SendAsync(ValueTask sent, ArrayBufferWriter<byte> body)
    {
        try
        {
            // A transport that failed may still reference the bytes: then they are not reused.
            await sent.ConfigureAwait(false);
        }
        catch (PostriderException failure) when (RouteErrors.LacksRoute(failure, _sender.Target))
        {
            throw RouteErrors.WithRoute(failure, typeof(TNotification), _sender.Target);
        }

        BodyBuffers.Return(body);
    }
}
