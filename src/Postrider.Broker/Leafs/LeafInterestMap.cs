using Postrider.Broker.Routing;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Leafs;

/// <summary>The interest of one account that was sent over one leaf node connection.</summary>
/// <remarks>Not thread-safe: guarded by the lock of the account's subscriptions. Source: nats-server, leaf node protocol.</remarks>
internal sealed class LeafInterestMap(LeafSession session) : InterestMap(PeerKind.LeafNode, [])
{
    /// <inheritdoc/>
    // To a leaf node: the subscriptions of clients, of other leaf nodes and of the cluster. To a hub: those of clients, and of leaf nodes whose hub this broker is.
    protected override bool Concerns(Subscription subscription)
    {
        var subject = subscription.SubjectBytes;
        if (subscription is PeerSubscription { Link: var source } interest)
        {
            if (!PeerLink.MayAnnounce(interest, session)) return false;
            // A leaf node whose user may not publish to the subject does not get it: it could use it to close other servers' connections. Loops are
            // still detected, because each server announces its own subject and hubs accept all of them.
            if (PeerInterest.IsLoopSubject(subject)) return session.IsSpoke || session.MayReceiveInterest(subject);
            if (session.IsSpoke && (source.IsSpoke || source.IsRoute)) return false;
            if (session.IsIsolated && !source.IsRoute) return false;
        }
        else if (subscription.Handler is not null && !session.Account.IsSystem && subject.AsSpan().StartsWith("$SYS."u8))
        {
            // Each server answers these requests itself.
            return false;
        }
        return session.MayReceiveInterest(subject);
    }

    /// <inheritdoc/>
    protected override void Send(ReadOnlySpan<byte> frames) => session.Send(frames);
}
