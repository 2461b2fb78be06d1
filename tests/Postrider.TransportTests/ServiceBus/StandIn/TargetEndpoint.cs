using Amqp;
using Amqp.Framing;
using Amqp.Listener;

namespace Postrider.TransportTests.ServiceBus.StandIn;

/// <summary>A link by which a client sends to a queue or topic.</summary>
internal sealed class TargetEndpoint(ServiceBusStandIn owner, string path) : LinkEndpoint
{
    public override void OnMessage(Amqp.Listener.MessageContext messageContext)
    {
        // What was on its way to a link that is closed is lost: its sender has been told.
        if (messageContext.Link.IsClosed)
            return;
        Error? error = null;
        try
        {
            owner.Receive(path, messageContext.Message);
        }
        catch (AmqpException refused)
        {
            error = refused.Error;
        }

        if (error is null)
            messageContext.Complete();
        else
            messageContext.Complete(error);
    }

    public override void OnFlow(FlowContext flowContext)
    {
    }

    public override void OnDisposition(DispositionContext dispositionContext)
    {
    }

    public override void OnLinkClosed(ListenerLink link, Error error) => Task.Run(() => owner.Forget(link));
}
