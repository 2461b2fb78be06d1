using Postrider.Broker.Routing;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routes;

/// <summary>The interest of one account that was sent over one route: that of clients and leaf nodes, but not of other servers of the cluster.</summary>
/// <remarks>Not thread-safe: guarded by the lock of the account's subscriptions. Source: nats-server, route protocol.</remarks>
internal sealed class RouteInterestMap(RouteLink link) : InterestMap(PeerKind.Route, link.WireAccount)
{
    /// <inheritdoc/>
    protected override bool Concerns(Subscription subscription)
    {
        // Each server forwards the interest of hubs over its own connection to them.
        if (subscription is PeerSubscription { Link: { IsRoute: true } or { IsSpoke: true } } || !link.Session.Context.Permissions.AllowsImport(subscription.SubjectBytes)) return false;
        // Each server of the cluster has the account's mappings itself.
        if (subscription is MappedInterest) return false;
        if (subscription is CrossAccountSubscription across) return across.Forwarder.TakesRouted;
        // Each server answers these requests itself; streams are not replicated in the cluster.
        if (subscription.Handler is null) return true;
        var subject = subscription.SubjectBytes.AsSpan();
        return !subject.StartsWith("$JS.API."u8) && (link.IsSystem || !subject.StartsWith("$SYS."u8));
    }

    /// <inheritdoc/>
    protected override byte[] OriginOf(Subscription subscription) => link.TakesOrigins && subscription is PeerSubscription peer ? peer.Origin : [];

    /// <inheritdoc/>
    protected override void Send(ReadOnlySpan<byte> frames) => link.Session.Send(frames);
}
