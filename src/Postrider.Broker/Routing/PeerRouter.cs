using Postrider.Broker.Subjects;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routing;

/// <summary>Delivers a message from another server to all its recipients.</summary>
/// <remarks>Thread-safe like <see cref="Router"/>. Only the queue groups that the other server named receive it. Source: nats-server, protocols of leaf nodes and routes.</remarks>
internal static class PeerRouter
{
    /// <summary>Publishes a message.</summary>
    /// <param name="tree">The account's subscriptions.</param>
    /// <param name="message">The message; see <see cref="CrossAccountMessage.ShownSubject"/>.</param>
    /// <param name="groups">The queue groups that it is for: see <see cref="PeerFrame.QueueGroups"/>.</param>
    /// <param name="anyGroup">Whether it is for every group: a mapping has changed its subject, and the other server named none.</param>
    /// <param name="source">The connection that received it.</param>
    /// <param name="publisher">The publisher, for internal subscribers.</param>
    /// <param name="batch">The batch of the read.</param>
    /// <returns>Whether the message was delivered to at least one subscription.</returns>
    public static bool Publish(
        SubjectTree<Subscription> tree,
        scoped in CrossAccountMessage message,
        ReadOnlySpan<byte> groups,
        bool anyGroup,
        PeerLink source,
        IPublishingClient publisher,
        SendBatch batch)
    {
        var result = Router.CacheOf(batch).Find(tree, message.Subject);
        batch.Count(result.Plain.Count + result.Groups.Length);
        var reached = false;
        PeerTargets? peers = null;
        for (var i = 0; i < result.Plain.Count; i++)
        {
            var subscription = result.Plain.Items[i];
            if ((subscription.Conditions & DeliveryConditions.Peer) != 0) PeerTargets.Add(ref peers, subscription, source);
            else reached |= TryDeliver(subscription, in message, source, publisher, batch);
        }
        foreach (var group in result.Groups)
        {
            if (!anyGroup && !IsNamed(groups, group.QueueGroup)) continue;
            if (tree.HasWeights && !source.IsRoute && PeerTargets.TryAddRoute(ref peers, in group, batch.Random, source)) continue;
            reached |= TryDeliverToOne(in group, in message, source, publisher, batch, ref peers);
        }
        if (peers is not null)
        {
            var shown = message.ShownSubject.IsEmpty ? message.Subject : message.ShownSubject;
            reached |= peers.Send(message.Subject, shown, message.ReplyTo, message.Headers, message.Payload, batch);
        }
        return reached;
    }

    /// <summary>Whether a message names a queue group.</summary>
    public static bool IsNamed(ReadOnlySpan<byte> groups, byte[] queueGroup)
    {
        while (PeerFrame.NextQueueGroup(ref groups, out var named))
            if (named.SequenceEqual(queueGroup)) return true;
        return false;
    }

    private static bool TryDeliverToOne(
        in MatchedGroup<Subscription> group, scoped in CrossAccountMessage message, PeerLink source, IPublishingClient publisher, SendBatch batch, ref PeerTargets? peers)
    {
        var place = group.Count == 1 ? 0 : batch.Random.Next(group.Count);
        var hasPeers = false;
        for (var tried = 0; tried < group.Count; tried++)
        {
            var subscription = group.Items[place];
            if ((subscription.Conditions & DeliveryConditions.Peer) != 0) hasPeers = true;
            else if (TryDeliver(subscription, in message, source, publisher, batch)) return true;
            if (++place == group.Count) place = 0;
        }
        if (hasPeers) PeerTargets.AddGroup(ref peers, group.Span, group.QueueGroup, batch.Random, source);
        return false;
    }

    private static bool TryDeliver(Subscription subscription, scoped in CrossAccountMessage message, PeerLink source, IPublishingClient publisher, SendBatch batch)
    {
        var conditions = subscription.Conditions;
        var shown = message.ShownSubject.IsEmpty ? message.Subject : message.ShownSubject;
        if (conditions == DeliveryConditions.None)
        {
            subscription.Deliver(shown, message.ReplyTo, message.Headers, message.Payload, batch);
            return true;
        }
        if ((conditions & DeliveryConditions.Closed) != 0) return false;
        if ((conditions & DeliveryConditions.Handler) != 0)
        {
            HandlerInvoker.Invoke(subscription.Handler!, publisher, message.SubjectFor(subscription.Handler!), message.ReplyTo, message.Headers, message.Payload, batch);
            return true;
        }
        if ((conditions & DeliveryConditions.CrossAccount) != 0 && source.IsRoute && !((CrossAccountSubscription)subscription).Forwarder.TakesRouted) return false;
        if ((conditions & DeliveryConditions.AcrossAccounts) != 0) return CrossAccountDelivery.TryDeliver(subscription, in message, publisher, batch);
        if (!ConditionalDelivery.TryBegin(subscription, conditions, message.Subject, message.ReplyTo, publisher, batch, out var isLast)) return false;
        subscription.Write(shown, message.ReplyTo, (conditions & DeliveryConditions.NoHeaders) != 0 ? [] : message.Headers, message.Payload, batch);
        if (isLast) subscription.Owner!.OnLastDelivered(subscription, batch);
        return true;
    }
}
