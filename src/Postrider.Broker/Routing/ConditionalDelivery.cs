using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routing;

/// <summary>Delivers to subscriptions with conditions.</summary>
internal static class ConditionalDelivery
{
    /// <summary>Delivers if every condition allows it.</summary>
    /// <returns>Whether the message was delivered.</returns>
    public static bool TryDeliver(Subscription subscription, scoped in Frame frame, IPublishingClient? publisher, SendBatch batch)
    {
        var conditions = subscription.Conditions;
        // Most imports keep the subject: such a message is copied as for a subscriber of the publisher's account.
        if (conditions == DeliveryConditions.Imported && subscription is ImportedSubscription { KeepsSubject: true })
        {
            subscription.Deliver(in frame, batch);
            return true;
        }
        if ((conditions & DeliveryConditions.Closed) != 0) return false;
        if ((conditions & DeliveryConditions.Handler) != 0)
        {
            HandlerInvoker.Invoke(subscription.Handler!, publisher, frame.Subject, frame.ReplyTo, frame.Headers, frame.Payload, batch);
            return true;
        }
        if ((conditions & DeliveryConditions.AcrossAccounts) != 0) return CrossAccountDelivery.TryDeliver(subscription, in frame, publisher, batch);
        if (!TryBegin(subscription, conditions, frame.Subject, frame.ReplyTo, publisher, batch, out var isLast)) return false;
        var stripsHeaders = (conditions & DeliveryConditions.NoHeaders) != 0 && frame.Kind == FrameKind.PublishWithHeaders;
        if (stripsHeaders) subscription.Write(frame.Subject, frame.ReplyTo, [], frame.Payload, batch);
        else subscription.Write(in frame, batch);
        if (isLast) subscription.Owner!.OnLastDelivered(subscription, batch);
        return true;
    }

    /// <summary>Checks the conditions of a client's subscription, and counts the message if they allow it.</summary>
    /// <param name="subscription">A client's subscription that is not closed.</param>
    /// <param name="conditions">Its conditions.</param>
    /// <param name="subject">The message's subject.</param>
    /// <param name="replyTo">The message's reply subject, or empty.</param>
    /// <param name="publisher">The publisher, or null for the broker itself.</param>
    /// <param name="batch">The publisher's batch.</param>
    /// <param name="isLast">Whether it is the subscription's last message: its owner must be notified once it is written.</param>
    /// <returns>Whether to write the message.</returns>
    public static bool TryBegin(
        Subscription subscription,
        DeliveryConditions conditions,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        IPublishingClient? publisher,
        SendBatch batch,
        out bool isLast)
    {
        isLast = false;
        var owner = subscription.Owner!;
        if ((conditions & DeliveryConditions.NoEcho) != 0 && ReferenceEquals(owner, publisher)) return false;
        if ((conditions & DeliveryConditions.HasDeniedSubjects) != 0 && owner.IsDenied(subject, subscription.QueueGroup)) return false;
        if ((conditions & DeliveryConditions.Limited) == 0)
        {
            subscription.Count(batch);
        }
        else if (!subscription.TryTakeLimited(out isLast))
        {
            // The last one may have been counted by a publisher that did not know of the limit yet.
            owner.OnLastDelivered(subscription, batch);
            return false;
        }
        if ((conditions & DeliveryConditions.TracksReplies) != 0 && !replyTo.IsEmpty) owner.AllowReply(replyTo);
        return true;
    }
}
