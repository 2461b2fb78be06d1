using Postrider.Broker.Tracing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routing;

/// <summary>The connection of one account to another server, as far as deliveries ask: a leaf node connection, or the account's share of a route.</summary>
/// <remarks>Thread-safe.</remarks>
internal abstract class PeerLink
{
    /// <summary>The kind of the connection.</summary>
    public abstract PeerKind Kind { get; }

    /// <summary>The account's name where frames contain it; empty where the connection has one account only.</summary>
    public virtual byte[] WireAccount => [];

    /// <summary>The bytes to send.</summary>
    public abstract Outbox Outbox { get; }

    /// <summary>Whether this broker is the leaf node and the other server the hub.</summary>
    public abstract bool IsSpoke { get; }

    /// <summary>Whether interest of other leaf nodes is not sent to it.</summary>
    public abstract bool IsIsolated { get; }

    /// <summary>Whether both sides understand headers.</summary>
    public abstract bool TakesHeaders { get; }

    /// <summary>Whether the other server traces messages, and so does not deliver what is only to be traced.</summary>
    public abstract bool TakesTraces { get; }

    /// <summary>The connection in traces.</summary>
    public abstract TraceConnection Traced { get; }

    /// <summary>The account in traces; null for connections of several accounts.</summary>
    public abstract string? TracedAccount { get; }

    /// <summary>The name of the other server's cluster; empty where it is not known. Messages from a cluster do not go back to it.</summary>
    public abstract byte[] Cluster { get; }

    /// <summary>The cluster of leaf nodes that the message comes from that is handled now; empty for others. Read by the thread that handles it.</summary>
    public virtual byte[] MessageOrigin => Cluster;

    /// <summary>Whether the other server of a route understands which cluster of leaf nodes interest and messages come from.</summary>
    public virtual bool TakesOrigins => false;

    /// <summary>Whether the other server belongs to the broker's own cluster.</summary>
    public bool IsRoute => Kind == PeerKind.Route;

    /// <summary>Whether a message on a subject may be sent.</summary>
    /// <param name="subject">The message's subject.</param>
    /// <param name="replyTo">Its reply subject or nothing: the other side may answer it from now on, where only answers are allowed.</param>
    public abstract bool MaySend(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo);

    /// <summary>Whether the message that is handled now may go to another server.</summary>
    /// <param name="source">Where the message came from; null for a client or the broker.</param>
    /// <param name="target">Whose interest it matches.</param>
    public static bool MayForward(PeerLink? source, PeerSubscription target)
        => source is null || (MayForward(source, target.Link) && !IsForHubOfEach(source, target) && !AreSame(source.MessageOrigin, target.Origin));

    /// <summary>Whether another server may be told of interest.</summary>
    /// <param name="interest">The interest.</param>
    /// <param name="target">The connection to the other server.</param>
    public static bool MayAnnounce(PeerSubscription interest, PeerLink target) => MayForward(interest.Link, target) && !AreSame(interest.Origin, target.Cluster);

    private static bool MayForward(PeerLink source, PeerLink target)
    {
        // Each server of a cluster has a route to each other one: a message takes one of them.
        if (ReferenceEquals(source, target) || (source.IsRoute && target.IsRoute)) return false;
        // The hub has a connection to each server of a cluster that is its leaf node.
        return !source.IsSpoke || !target.IsRoute;
    }

    // Each server of a cluster has its own connection to the hub; only responses of services take any of them.
    private static bool IsForHubOfEach(PeerLink source, PeerSubscription target)
        => source.IsRoute && target.Link.IsSpoke && target.QueueGroup.Length == 0 && !target.SubjectBytes.AsSpan().StartsWith("_R_."u8);

    private static bool AreSame(byte[] origin, byte[] cluster) => origin.Length > 0 && origin.AsSpan().SequenceEqual(cluster);
}
