using Amqp;
using Amqp.Framing;
using Amqp.Listener;
using Amqp.Types;

namespace Postrider.TransportTests.ServiceBus.StandIn;

/// <summary>A link by which a client receives from an entity.</summary>
internal sealed class SourceEndpoint(ServiceBusStandIn owner, StandInEntity entity, ListenerLink link, string? session, bool settles) : LinkEndpoint
{
    public string? Session => session;

    public bool SettlesOnSend => settles;

    public int Credit { get; private set; }

    public override void OnFlow(FlowContext flowContext)
        => owner.Do(entity, () =>
        {
            // The link counts none as well after a flow that adds none.
            Credit = flowContext.Messages > 0 ? Credit + flowContext.Messages : 0;
        });

    public override void OnDisposition(DispositionContext dispositionContext)
    {
        // A link that closes releases what is not settled, on the thread that holds its lock. The service does not: the locks go on.
        if (link.IsClosed || link.LinkState >= LinkState.DetachPipe)
            return;
        var token = dispositionContext.Message.DeliveryTag is { Length: 16 } tag ? new Guid(tag) : Guid.Empty;
        Error? error = null;
        owner.Do(entity, () => error = entity.Settle(token, dispositionContext.DeliveryState));
        if (dispositionContext.Settled)
            return;
        if (error is null)
            dispositionContext.Complete();
        else
            dispositionContext.Complete(error);
    }

    // Not on the thread that holds the link's lock.
    public override void OnLinkClosed(ListenerLink link, Error error) => Task.Run(() => owner.Do(entity, () => entity.Detach(this)));

    public void Deliver(StandInMessage message)
    {
        Credit--;
        try
        {
            link.SendMessage(message.Copy());
        }
        catch (Exception gone) when (gone is AmqpException or IOException or System.Net.Sockets.SocketException or InvalidOperationException)
        {
            // The client is gone; the lock ends.
            Credit = 0;
        }
    }

    public void EndDrain()
    {
        if (!link.IsDraining || link.IsClosed)
            return;
        Credit = 0;
        try
        {
            link.CompleteDrain();
        }
        catch (Exception gone) when (gone is AmqpException or IOException or System.Net.Sockets.SocketException or InvalidOperationException)
        {
            // The client is gone.
        }
    }

    public void Close(Error error) => Task.Run(() => link.Close(TimeSpan.Zero, error));

    /// <summary>Puts the tag of a delivery where the client reads the lock.</summary>
    public static byte[]? TagOf(Message message)
        => message.DeliveryAnnotations?.Map.GetValueOrDefault((Symbol)"x-opt-lock-token") is Guid token ? token.ToByteArray() : null;
}
