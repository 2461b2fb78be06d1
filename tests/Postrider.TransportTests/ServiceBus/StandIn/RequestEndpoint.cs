using Amqp;
using Amqp.Framing;
using Amqp.Listener;

namespace Postrider.TransportTests.ServiceBus.StandIn;

/// <summary>A link by which a client asks <c>$cbs</c> or a management node. The answer goes to the client's link of that node whose
/// address, or whose name, is the question's <c>reply-to</c>.</summary>
internal sealed class RequestEndpoint(ServiceBusStandIn owner, string node, ListenerLink link) : LinkEndpoint
{
    public override void OnMessage(Amqp.Listener.MessageContext messageContext)
    {
        var request = messageContext.Message;
        var answer = owner.Answer(node, link, request);
        answer.Properties = new Properties();
        answer.Properties.SetCorrelationId(request.Properties.GetMessageId());
        messageContext.Complete();
        if (owner.AnswerLink(link, request.Properties.ReplyTo) is { } back)
            back.SendMessage(answer);
    }

    public override void OnFlow(FlowContext flowContext)
    {
    }

    public override void OnDisposition(DispositionContext dispositionContext)
    {
    }
}
