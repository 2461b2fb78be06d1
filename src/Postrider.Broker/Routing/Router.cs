// Hot path: ClientSession.Publish -> this -> MatchCache, Subscription.Deliver. Allocations: none.
using System.Runtime.CompilerServices;
using Postrider.Broker.Subjects;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routing;

/// <summary>Delivers a published message to all its recipients.</summary>
/// <remarks>Thread-safe; a publish only changes the state of its batch and of the lanes.</remarks>
internal static class Router
{
    /// <summary>Publishes a frame.</summary>
    /// <param name="tree">The account's subscriptions.</param>
    /// <param name="frame">A publish frame.</param>
    /// <param name="cached">The match of the publisher's last message; dropped unless the frame repeats its subject.</param>
    /// <param name="publisher">The publishing client, or null for the broker.</param>
    /// <param name="batch">The publisher's batch.</param>
    /// <returns>Whether the message was delivered to at least one subscription.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Publish(
        SubjectTree<Subscription> tree, scoped in Frame frame, ref CachedMatch cached, IPublishingClient? publisher, SendBatch batch)
    {
        var result = cached.IsCurrent(tree)
            ? cached.Result
            : frame.IsRepeat ? cached.Find(tree, frame.Subject, batch) : CacheOf(batch).Find(tree, frame.Subject);
        if (result.IsEmpty) return false;
        if (result.Groups.Length == 0 && result.Plain.Count == 1)
        {
            var only = result.Plain.Items[0];
            if (only.Conditions == DeliveryConditions.None)
            {
                only.Deliver(in frame, batch);
                return true;
            }
            if (only.Conditions == DeliveryConditions.Handler)
            {
                batch.Count(1);
                HandlerInvoker.Invoke(only.Handler!, publisher, frame.Subject, frame.ReplyTo, frame.Headers, frame.Payload, batch);
                return true;
            }
        }
        return PublishToMany(result, in frame, publisher, batch, tree.HasWeights);
    }

    /// <summary>The cache of a batch, created at its first publish.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static MatchCache<Subscription> CacheOf(SendBatch batch)
        => batch.Tag is { } known ? Unsafe.As<MatchCache<Subscription>>(known) : MakeCache(batch);

    private static bool PublishToMany(MatchResult<Subscription> result, scoped in Frame frame, IPublishingClient? publisher, SendBatch batch, bool hasWeights)
    {
        var reached = false;
        PeerTargets? peers = null;
        var plain = result.Plain;
        batch.Count(plain.Count + result.Groups.Length);
        for (var i = 0; i < plain.Count; i++)
        {
            var subscription = plain.Items[i];
            if (subscription.Conditions == DeliveryConditions.None)
            {
                subscription.Deliver(in frame, batch);
                reached = true;
            }
            else if ((subscription.Conditions & DeliveryConditions.Peer) != 0)
            {
                PeerTargets.Add(ref peers, subscription);
            }
            else
            {
                reached |= ConditionalDelivery.TryDeliver(subscription, in frame, publisher, batch);
            }
        }
        foreach (var group in result.Groups)
            if (!hasWeights || !PeerTargets.TryAddRoute(ref peers, in group, batch.Random)) reached |= PublishToOne(in group, in frame, publisher, batch, ref peers);
        if (peers is not null) reached |= peers.Send(frame.Subject, frame.Subject, frame.ReplyTo, frame.Headers, frame.Payload, batch);
        return reached;
    }

    // A random member, or the next one that can take the message; members on other servers come last.
    private static bool PublishToOne(
        in MatchedGroup<Subscription> group, scoped in Frame frame, IPublishingClient? publisher, SendBatch batch, ref PeerTargets? peers)
    {
        var hasPeers = false;
        var place = group.Count == 1 ? 0 : batch.Random.Next(group.Count);
        for (var tried = 0; tried < group.Count; tried++)
        {
            var subscription = group.Items[place];
            if (subscription.Conditions == DeliveryConditions.None)
            {
                subscription.Deliver(in frame, batch);
                return true;
            }
            if ((subscription.Conditions & DeliveryConditions.Peer) != 0) hasPeers = true;
            else if (ConditionalDelivery.TryDeliver(subscription, in frame, publisher, batch)) return true;
            batch.Count(1);
            if (++place == group.Count) place = 0;
        }
        if (hasPeers) PeerTargets.AddGroup(ref peers, group.Span, group.QueueGroup, batch.Random);
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static MatchCache<Subscription> MakeCache(SendBatch batch)
    {
        // A match with overlapping patterns may take as long as thousands of deliveries.
        var cache = new MatchCache<Subscription>(batch.CountWork);
        batch.Tag = cache;
        return cache;
    }
}
