// Hot path: PublishPipeline -> this -> MessageSender. Allocations: the id; the body's buffer where the transport suspends.
using System.Buffers;
using System.Runtime.CompilerServices;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Dispatch;

/// <summary>Sends a notification through a transport instead of calling handlers of this container.</summary>
internal sealed class RemoteNotificationStep<TNotification>(ITransport transport, ISerializerProvider serializers, SendTarget target) : NotificationInvoker
{
    private readonly EnvelopeSerializer<TNotification> _notifications = new(serializers);
    private readonly MessageSender _sender = OutgoingProperties.Open(transport, target, typeof(TNotification), response: null);

    public override ValueTask Invoke(object notification, object? state, CancellationToken ct)
    {
        var body = BodyBuffers.Rent();
        ValueTask sent;
        try
        {
            var contentType = _notifications.Write((TNotification)notification, body);
            sent = _sender.SendAsync(OutgoingProperties.Of((TNotification)notification, contentType, state, _sender.Target), body.WrittenMemory, ct);
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
    private static async ValueTask SendAsync(ValueTask sent, ArrayBufferWriter<byte> body)
    {
        // A transport that failed may still hold the bytes: then they are not used again.
        await sent.ConfigureAwait(false);
        BodyBuffers.Return(body);
    }
}
