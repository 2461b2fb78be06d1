using Amqp.Framing;
using Amqp.Listener;

namespace Postrider.TransportTests.ServiceBus.StandIn;

/// <summary>A link by which a client gets answers.</summary>
internal sealed class AnswerEndpoint(ServiceBusStandIn owner) : LinkEndpoint
{
    public override void OnFlow(FlowContext flowContext)
    {
    }

    public override void OnDisposition(DispositionContext dispositionContext)
    {
        if (!dispositionContext.Settled)
            dispositionContext.Complete();
    }

    public override void OnLinkClosed(ListenerLink link, Error error) => Task.Run(() => owner.Forget(link));
}
