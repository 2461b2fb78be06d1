using Postrider.Wire.Frames;
using Postrider.Wire.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Deliveries to subscriptions that have conditions.</summary>
internal static class CarefulDelivery
{
    /// <summary>Delivers where every condition allows it.</summary>
    /// <returns>Whether the message was taken.</returns>
    public static bool TryDeliver(Subscription subscription, scoped in Frame frame, IPublisher? publisher, SendBatch batch)
    {
        var care = subscription.Care;
        if ((care & DeliveryCare.Closed) != 0) return false;
        if ((care & DeliveryCare.Handler) != 0)
        {
            subscription.Handler!.Handle(publisher, frame.Subject, frame.ReplyTo, frame.Headers, frame.Payload, batch);
            return true;
        }
        var owner = subscription.Owner!;
        if ((care & DeliveryCare.NoEcho) != 0 && ReferenceEquals(owner, publisher)) return false;
        if ((care & DeliveryCare.DeniesSome) != 0 && owner.IsDenied(frame.Subject, subscription.QueueGroup)) return false;
        var isLast = false;
        if ((care & DeliveryCare.Limited) != 0 && !subscription.TryTakeLimited(out isLast))
        {
            // The last one may have been counted by a publisher that did not know of the limit yet.
            owner.LastDelivered(subscription, batch);
            return false;
        }
        if ((care & DeliveryCare.TracksReplies) != 0 && !frame.ReplyTo.IsEmpty) owner.AllowReply(frame.ReplyTo);
        var stripsHeaders = (care & DeliveryCare.NoHeaders) != 0 && frame.Kind == FrameKind.PublishWithHeaders;
        // The limit has counted its message already.
        if ((care & DeliveryCare.Limited) == 0) subscription.Count(batch);
        if (stripsHeaders) subscription.Write(frame.Subject, frame.ReplyTo, [], frame.Payload, batch);
        else subscription.Write(in frame, batch);
        if (isLast) owner.LastDelivered(subscription, batch);
        return true;
    }
}
