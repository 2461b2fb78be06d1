// Hot path: stream acknowledgements and consumer deliveries -> this -> MatchCache, Subscription.Deliver. Allocations: none.
using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Publishes messages of the broker itself.</summary>
/// <remarks>Thread-safe like <see cref="Router"/>. No lock may be held: the message may reach another internal subscriber.</remarks>
internal static class InternalPublisher
{
    /// <summary>Publishes a message without headers.</summary>
    public static bool Publish(SubjectTree<Subscription> tree, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> payload, SendBatch batch)
        => Publish(tree, subject, subject, [], [], payload, batch);

    /// <summary>Publishes a message.</summary>
    /// <param name="tree">The account's subscriptions.</param>
    /// <param name="subject">The subject to publish to.</param>
    /// <param name="shownSubject">The subject that subscribers see: a consumer delivers to an inbox and shows the message's own subject.</param>
    /// <param name="replyTo">The reply subject, or empty.</param>
    /// <param name="headers">The header block, or empty.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="batch">The batch for the frames.</param>
    /// <param name="publisher">Who asks, for a request to a service; null for a delivery.</param>
    /// <returns>Whether the message was delivered to at least one subscription.</returns>
    public static bool Publish(
        SubjectTree<Subscription> tree,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> shownSubject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch,
        IPublishingClient? publisher = null)
    {
        var result = Router.CacheOf(batch).Find(tree, subject);
        if (result.Plain.Count == 1 && result.Groups.Length == 0 && result.Plain.Items[0] is { Conditions: DeliveryConditions.None } only)
        {
            only.Deliver(shownSubject, replyTo, headers, payload, batch);
            return true;
        }
        var reached = false;
        PeerTargets? peers = null;
        for (var i = 0; i < result.Plain.Count; i++)
        {
            var subscription = result.Plain.Items[i];
            if ((subscription.Conditions & DeliveryConditions.Peer) != 0) PeerTargets.Add(ref peers, subscription);
            else reached |= TryDeliver(subscription, subject, shownSubject, replyTo, headers, payload, publisher, batch);
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
                else if (TryDeliver(group.Items[place], subject, shownSubject, replyTo, headers, payload, publisher, batch))
                {
                    reached = taken = true;
                    break;
                }
                if (++place == group.Count) place = 0;
            }
            if (hasPeers && !taken) PeerTargets.AddGroup(ref peers, group.Span, group.QueueGroup, batch.Random);
        }
        if (peers is not null) reached |= peers.Send(subject, shownSubject, replyTo, headers, payload, batch);
        return reached;
    }

    /// <summary>Sends 503 No Responders to the requester; does nothing without a reply subject.</summary>
    public static void ReplyNoResponders(SubjectTree<Subscription> tree, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, SendBatch batch)
    {
        if (replyTo.IsEmpty) return;
        using var headers = new NoRespondersHeaders(subject, stackalloc byte[NoRespondersHeaders.UsualBytes]);
        Publish(tree, replyTo, replyTo, [], headers.Bytes, [], batch);
    }

    /// <summary>Whether a subject has interest.</summary>
    public static bool HasInterest(SubjectTree<Subscription> tree, ReadOnlySpan<byte> subject, SendBatch batch)
    {
        var result = Router.CacheOf(batch).Find(tree, subject);
        return !result.IsEmpty && (result.Plain.Count != 1 || result.Groups.Length > 0 || HasInterest(result.Plain.Items[0], subject));
    }

    /// <summary>Whether a subject has interest through its only subscription.</summary>
    public static bool HasInterest(Subscription only, ReadOnlySpan<byte> subject)
        => (only.Conditions & DeliveryConditions.CrossAccount) == 0 || ((CrossAccountSubscription)only).Forwarder.HasInterest(subject);

    /// <summary>Whether something that the broker delivers to a subject has a receiver.</summary>
    public static bool HasReceiver(SubjectTree<Subscription> tree, ReadOnlySpan<byte> subject, SendBatch batch) => HasReceiver(Router.CacheOf(batch).Find(tree, subject), subject);

    /// <summary>Whether something that the broker delivers to a subject has a receiver among these.</summary>
    public static bool HasReceiver(MatchResult<Subscription> result, ReadOnlySpan<byte> subject)
    {
        if (result.Plain.Count != 1 || result.Groups.Length > 0) return !result.IsEmpty;
        var only = result.Plain.Items[0];
        return only.Conditions == DeliveryConditions.None
            || (HasInterest(only, subject) && ((only.Conditions & DeliveryConditions.Handler) == 0 || HandlerInvoker.IsReceiver(only.Handler!, publisher: null)));
    }

    /// <summary>Whether a client with interest in a subject has much unread data.</summary>
    public static bool IsHeldUp(SubjectTree<Subscription> tree, ReadOnlySpan<byte> subject, SendBatch batch)
    {
        var result = Router.CacheOf(batch).Find(tree, subject);
        for (var i = 0; i < result.Plain.Count; i++)
        {
            if (result.Plain.Items[i] is { Outbox.IsAboveHighMark: true } subscription && (subscription.Conditions & DeliveryConditions.Closed) == 0) return true;
        }
        foreach (var group in result.Groups)
        {
            for (var i = 0; i < group.Count; i++)
            {
                if (group.Items[i] is { Outbox.IsAboveHighMark: true } subscription && (subscription.Conditions & DeliveryConditions.Closed) == 0) return true;
            }
        }
        return false;
    }

    private static bool TryDeliver(
        Subscription subscription,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> shownSubject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        IPublishingClient? publisher,
        SendBatch batch)
    {
        var conditions = subscription.Conditions;
        if (conditions == DeliveryConditions.None)
        {
            subscription.Deliver(shownSubject, replyTo, headers, payload, batch);
            return true;
        }
        if ((conditions & DeliveryConditions.Closed) != 0) return false;
        if ((conditions & DeliveryConditions.Handler) != 0)
        {
            var handler = subscription.Handler!;
            if (!HandlerInvoker.IsReceiver(handler, publisher)) return false;
            HandlerInvoker.Invoke(handler, publisher, handler.TakesShownSubject ? shownSubject : subject, replyTo, headers, payload, batch);
            return true;
        }
        if ((conditions & DeliveryConditions.AcrossAccounts) != 0)
        {
            var other = shownSubject.SequenceEqual(subject) ? [] : shownSubject;
            return CrossAccountDelivery.TryDeliver(subscription, new CrossAccountMessage(subject, other, replyTo, headers, payload), publisher, batch);
        }
        if (!ConditionalDelivery.TryBegin(subscription, conditions, subject, replyTo, publisher, batch, out var isLast)) return false;
        subscription.Write(shownSubject, replyTo, (conditions & DeliveryConditions.NoHeaders) != 0 ? [] : headers, payload, batch);
        if (isLast) subscription.Owner!.OnLastDelivered(subscription, batch);
        return true;
    }
}
