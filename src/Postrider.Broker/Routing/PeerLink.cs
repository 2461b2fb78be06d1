using Postrider.Broker.Tracing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routing;

/// <summary>The connection of one account to another server, for deliveries: a leaf node connection, or the account's part of a route.</summary>
/// <remarks>Thread-safe.</remarks>
internal abstract class PeerLink
{
    /// <summary>The kind of the connection.</summary>
    public abstract PeerKind Kind { get; }

    /// <summary>The account's name if frames contain it; empty when the connection has a single account.</summary>
    public virtual byte[] WireAccount => [];

    /// <summary>The connection's outbox.</summary>
    public abstract Outbox Outbox { get; }

    /// <summary>Whether this broker is the leaf node and the other server the hub.</summary>
    public abstract bool IsSpoke { get; }

    /// <summary>Whether interest of other leaf nodes is kept from it.</summary>
    public abstract bool IsIsolated { get; }

    /// <summary>Whether both sides understand headers.</summary>
    public abstract bool TakesHeaders { get; }

    /// <summary>Whether the other server traces messages, so that it does not deliver those that are only to be traced.</summary>
    public abstract bool TakesTraces { get; }

    /// <summary>The connection in traces.</summary>
    public abstract TraceConnection Traced { get; }

    /// <summary>The account in traces; null for connections of several accounts.</summary>
    public abstract string? TracedAccount { get; }

    /// <summary>The name of the other server's cluster; empty when it is unknown. Messages from a cluster are not sent back to it.</summary>
    public abstract byte[] Cluster { get; }

    /// <summary>The cluster of leaf nodes of the current message; empty for others. Only read by the thread that handles the message.</summary>
    public virtual byte[] MessageOrigin => Cluster;

    /// <summary>Whether the other server of a route supports the origin of interest and messages: their cluster of leaf nodes.</summary>
    public virtual bool TakesOrigins => false;

    /// <summary>Whether the other server belongs to the broker's own cluster.</summary>
    public bool IsRoute => Kind == PeerKind.Route;

    /// <summary>Counts a message that is sent, where the outbox counts those of other accounts too.</summary>
    /// <param name="bytes">Its header and payload bytes.</param>
    /// <param name="batch">The sender's batch.</param>
    public virtual void CountSent(int bytes, SendBatch batch)
    {
    }

    /// <summary>Whether a message on a subject may be sent.</summary>
    /// <param name="subject">The message's subject.</param>
    /// <param name="replyTo">Its reply subject, or empty: the other side may respond from now on, where only responses are allowed.</param>
    public abstract bool MaySend(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo);

    /// <summary>Whether the current message may be forwarded to another server.</summary>
    /// <param name="source">The connection that received the message; null for a client or the broker.</param>
    /// <param name="target">The connection whose interest it matches.</param>
    public static bool MayForward(PeerLink? source, PeerSubscription target)
        => source is null || (MayForward(source, target.Link) && !IsForHubOfEach(source, target) && !AreSame(source.MessageOrigin, target.Origin));

    /// <summary>Whether interest may be announced to another server.</summary>
    /// <param name="interest">The interest.</param>
    /// <param name="target">The connection to the other server.</param>
    public static bool MayAnnounce(PeerSubscription interest, PeerLink target) => MayForward(interest.Link, target) && !AreSame(interest.Origin, target.Cluster);

    private static bool MayForward(PeerLink source, PeerLink target)
    {
        // All servers of a cluster have routes to each other: a message takes only one.
        if (ReferenceEquals(source, target) || (source.IsRoute && target.IsRoute)) return false;
        // The hub has a connection to each server of a cluster that is its leaf node.
        return !source.IsSpoke || !target.IsRoute;
    }

    // Each server of a cluster has its own connection to the hub; only responses of services may take any of them.
    private static bool IsForHubOfEach(PeerLink source, PeerSubscription target)
        => source.IsRoute && target.Link.IsSpoke && target.QueueGroup.Length == 0 && !target.SubjectBytes.AsSpan().StartsWith("_R_."u8);

    private static bool AreSame(byte[] origin, byte[] cluster) => origin.Length > 0 && origin.AsSpan().SequenceEqual(cluster);
}
