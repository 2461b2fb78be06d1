using Postrider.Broker.Subjects;
using Postrider.Broker.Tracing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routing;

/// <summary>Delivers a traced message to all its recipients, and adds each step to its trace.</summary>
/// <remarks>Does the work of <see cref="Router"/>, <see cref="CrossAccountPublisher"/> and <see cref="PeerRouter"/> for messages with a trace,
/// in one place, as speed matters less here. A message that is only traced is sent to other servers, which trace it in turn, and to nobody else.
/// Source: nats-server, message tracing.</remarks>
internal static class TracedRouter
{
    /// <summary>Publishes a message.</summary>
    /// <param name="tree">The account's subscriptions.</param>
    /// <param name="message">The message with its trace, or without one if tracing was just switched off for it.</param>
    /// <param name="origin">How it arrived in the account.</param>
    /// <param name="publisher">The publisher, or null for the broker.</param>
    /// <param name="batch">The publisher's batch.</param>
    /// <returns>Whether the message was, or would have been, delivered to at least one subscription.</returns>
    public static bool Publish(
        SubjectTree<Subscription> tree, scoped in CrossAccountMessage message, scoped in TraceOrigin origin, IPublishingClient? publisher, SendBatch batch)
    {
        var result = Router.CacheOf(batch).Find(tree, message.Subject);
        batch.Count(result.Plain.Count + result.Groups.Length);
        var reached = false;
        PeerTargets? peers = null;
        for (var i = 0; i < result.Plain.Count; i++)
        {
            var subscription = result.Plain.Items[i];
            if ((subscription.Conditions & DeliveryConditions.Peer) != 0)
            {
                if (origin.Chain is null || (subscription.Conditions & DeliveryConditions.Imported) == 0) PeerTargets.Add(ref peers, subscription, origin.Source);
            }
            else reached |= TryDeliver(subscription, in message, in origin, publisher, batch);
        }
        foreach (var group in result.Groups)
        {
            if (!origin.AnyGroup && !PeerRouter.IsNamed(origin.Groups, group.QueueGroup)) continue;
            if (tree.HasWeights && origin.Source is not { IsRoute: true } && PeerTargets.TryAddRoute(ref peers, in group, batch.Random, origin.Source)) continue;
            reached |= TryDeliverToOne(in group, in message, in origin, publisher, batch, ref peers);
        }
        if (peers is null) return reached;
        if (message.Trace is not null) return peers.SendTraced(in message, batch) | reached;
        return peers.Send(message.Subject, message.ShownSubject.IsEmpty ? message.Subject : message.ShownSubject, message.ReplyTo, message.Headers, message.Payload, batch) | reached;
    }

    private static bool TryDeliverToOne(
        in MatchedGroup<Subscription> group, scoped in CrossAccountMessage message, scoped in TraceOrigin origin, IPublishingClient? publisher, SendBatch batch, ref PeerTargets? peers)
    {
        var place = group.Count == 1 ? 0 : batch.Random.Next(group.Count);
        var hasPeers = false;
        for (var tried = 0; tried < group.Count; tried++)
        {
            var subscription = group.Items[place];
            if ((subscription.Conditions & DeliveryConditions.Peer) != 0) hasPeers = true;
            else if (TryDeliver(subscription, in message, in origin, publisher, batch)) return true;
            if (++place == group.Count) place = 0;
        }
        if (hasPeers) PeerTargets.AddGroup(ref peers, group.Span, group.QueueGroup, batch.Random, origin.Source);
        return false;
    }

    private static bool TryDeliver(
        Subscription subscription, scoped in CrossAccountMessage message, scoped in TraceOrigin origin, IPublishingClient? publisher, SendBatch batch)
    {
        var conditions = subscription.Conditions;
        if ((conditions & DeliveryConditions.Handler) != 0) return (conditions & DeliveryConditions.Closed) == 0 && TryHandle(subscription.Handler!, in message, origin.Chain, publisher, batch);
        if ((conditions & DeliveryConditions.CrossAccount) != 0)
        {
            var forwarder = ((CrossAccountSubscription)subscription).Forwarder;
            if ((conditions & DeliveryConditions.Closed) != 0 || (origin.Source is { IsRoute: true } && !forwarder.TakesRouted)) return false;
            batch.CountCall();
            return forwarder.TryForward(in message, publisher, origin.Chain, batch);
        }
        var shown = message.ShownSubject.IsEmpty ? message.Subject : message.ShownSubject;
        if ((conditions & DeliveryConditions.Imported) == 0) return TryDeliver(subscription, shown, in message, message.Trace, publisher, batch);
        // Messages that arrived as requests or responses are not passed on to accounts that import streams.
        if (origin.Chain is not null || (conditions & DeliveryConditions.Closed) != 0) return false;
        var imported = (ImportedSubscription)subscription;
        var subject = imported.SubjectOf(message.Subject, shown);
        if (subject.IsEmpty) return false;
        message.Trace?.AddStreamExport(((IPublishingClient)imported.Owner!).AccountName, subject);
        if (imported.AllowsTrace) return TryDeliver(imported, subject, in message, message.Trace, publisher, batch);
        return message.Trace is { IsOnly: true } || TryDeliver(imported, subject, in message, trace: null, publisher, batch);
    }

    private static bool TryHandle(IInternalSubscriber handler, scoped in CrossAccountMessage message, ForwardingChain? chain, IPublishingClient? publisher, SendBatch batch)
    {
        if (!HandlerInvoker.IsReceiver(handler, message.Subject, publisher, chain)) return false;
        // A message that is only traced has no effect.
        if (message.Trace is not null && handler is ITracedSubscriber traced) HandlerInvoker.InvokeTraced(traced, publisher, in message, batch);
        else if (message.Trace is { IsOnly: true }) return !handler.IsImported;
        else HandlerInvoker.Invoke(handler, publisher, message.SubjectFor(handler), message.ReplyTo, message.Headers, message.Payload, batch);
        return true;
    }

    private static bool TryDeliver(
        Subscription subscription, ReadOnlySpan<byte> shown, scoped in CrossAccountMessage message, MessageTrace? trace, IPublishingClient? publisher, SendBatch batch)
    {
        var conditions = subscription.Conditions;
        var owner = subscription.Owner!;
        if ((conditions & DeliveryConditions.Closed) != 0) return Refuse(trace, subscription, TraceErrors.SubscriptionClosed);
        if ((conditions & DeliveryConditions.NoEcho) != 0 && ReferenceEquals(owner, publisher)) return Refuse(trace, subscription, TraceErrors.NoEcho);
        if ((conditions & DeliveryConditions.HasDeniedSubjects) != 0 && owner.IsDenied(shown, subscription.QueueGroup)) return Refuse(trace, subscription, TraceErrors.SubscriptionDenied);
        if (trace is { IsOnly: true })
        {
            Note(trace, subscription, error: null);
            return true;
        }
        if (!ConditionalDelivery.TryBegin(subscription, conditions, shown, message.ReplyTo, publisher, batch, out var isLast)) return Refuse(trace, subscription, TraceErrors.AutoUnsubscribed);
        subscription.Write(shown, message.ReplyTo, (conditions & DeliveryConditions.NoHeaders) != 0 ? [] : message.Headers, message.Payload, batch);
        if (trace is not null) Note(trace, subscription, error: null);
        if (isLast) owner.OnLastDelivered(subscription, batch);
        return true;
    }

    private static bool Refuse(MessageTrace? trace, Subscription subscription, string error)
    {
        if (trace is not null) Note(trace, subscription, error);
        return false;
    }

    private static void Note(MessageTrace trace, Subscription subscription, string? error)
    {
        var client = (IPublishingClient)subscription.Owner!;
        trace.AddClient(
            new TraceConnection(TraceConnection.Client, client.Id, client.Details.Name), client.AccountName, subscription.SubjectBytes, subscription.QueueGroup, error);
    }
}
