using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Publishes messages from one account in another.</summary>
/// <remarks>Thread-safe like <see cref="Router"/>. As in nats-server, messages that arrived as requests or responses are not passed on to accounts
/// that import streams.</remarks>
internal static class CrossAccountPublisher
{
    /// <summary>Publishes a message.</summary>
    /// <param name="tree">The subscriptions of the receiving account.</param>
    /// <param name="message">The message, with its subject in that account.</param>
    /// <param name="publisher">The publisher, or null for the broker.</param>
    /// <param name="chain">The forwards between accounts so far.</param>
    /// <param name="batch">The publisher's batch.</param>
    /// <returns>Whether the message was delivered to at least one subscription.</returns>
    public static bool Publish(
        SubjectTree<Subscription> tree, scoped in CrossAccountMessage message, IPublishingClient? publisher, ForwardingChain chain, SendBatch batch)
    {
        if (message.Trace is not null) return TracedRouter.Publish(tree, in message, TraceOrigin.Forwarded(chain), publisher, batch);
        var result = Router.CacheOf(batch).Find(tree, message.Subject);
        batch.Count(result.Plain.Count + result.Groups.Length);
        var reached = false;
        PeerTargets? peers = null;
        for (var i = 0; i < result.Plain.Count; i++)
        {
            var subscription = result.Plain.Items[i];
            // Messages that arrived as requests or responses are not passed on to accounts that import streams.
            if ((subscription.Conditions & DeliveryConditions.Peer) == 0) reached |= TryDeliver(subscription, in message, publisher, chain, batch);
            else if ((subscription.Conditions & DeliveryConditions.Imported) == 0) PeerTargets.Add(ref peers, subscription);
        }
        foreach (var group in result.Groups)
        {
            if (tree.HasWeights && PeerTargets.TryAddRoute(ref peers, in group, batch.Random)) continue;
            var (taken, hasPeers) = (false, false);
            var place = group.Count == 1 ? 0 : batch.Random.Next(group.Count);
            for (var tried = 0; tried < group.Count; tried++)
            {
                if ((group.Items[place].Conditions & DeliveryConditions.Peer) != 0)
                {
                    hasPeers = true;
                }
                else if (TryDeliver(group.Items[place], in message, publisher, chain, batch))
                {
                    reached = taken = true;
                    break;
                }
                if (++place == group.Count) place = 0;
            }
            if (hasPeers && !taken) PeerTargets.AddGroup(ref peers, group.Span, group.QueueGroup, batch.Random);
        }
        if (peers is not null)
        {
            var shown = message.ShownSubject.IsEmpty ? message.Subject : message.ShownSubject;
            reached |= peers.Send(message.Subject, shown, message.ReplyTo, message.Headers, message.Payload, batch);
        }
        return reached;
    }

    private static bool TryDeliver(
        Subscription subscription, scoped in CrossAccountMessage message, IPublishingClient? publisher, ForwardingChain chain, SendBatch batch)
    {
        var conditions = subscription.Conditions;
        if ((conditions & (DeliveryConditions.Closed | DeliveryConditions.Imported)) != 0) return false;
        if ((conditions & DeliveryConditions.CrossAccount) != 0)
        {
            batch.CountCall();
            return ((CrossAccountSubscription)subscription).Forwarder.TryForward(in message, publisher, chain, batch);
        }
        if ((conditions & DeliveryConditions.Handler) != 0)
        {
            if (!HandlerInvoker.IsReceiver(subscription.Handler!, message.Subject, publisher, chain)) return false;
            HandlerInvoker.Invoke(subscription.Handler!, publisher, message.SubjectFor(subscription.Handler!), message.ReplyTo, message.Headers, message.Payload, batch);
            return true;
        }
        var shown = message.ShownSubject.IsEmpty ? message.Subject : message.ShownSubject;
        if (!ConditionalDelivery.TryBegin(subscription, conditions, shown, message.ReplyTo, publisher, batch, out var isLast)) return false;
        subscription.Write(shown, message.ReplyTo, (conditions & DeliveryConditions.NoHeaders) != 0 ? [] : message.Headers, message.Payload, batch);
        if (isLast) subscription.Owner!.OnLastDelivered(subscription, batch);
        return true;
    }
}
