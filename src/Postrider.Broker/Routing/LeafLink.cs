using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>A connection to another server of which one is a leaf node of the other, as far as deliveries ask.</summary>
/// <remarks>Thread-safe.</remarks>
internal abstract class LeafLink
{
    /// <summary>The bytes to send.</summary>
    public abstract Outbox Outbox { get; }

    /// <summary>Whether this broker is the leaf node and the other server the hub.</summary>
    public abstract bool IsSpoke { get; }

    /// <summary>Whether interest of other leaf nodes is not sent to it.</summary>
    public abstract bool IsIsolated { get; }

    /// <summary>Whether both sides understand headers.</summary>
    public abstract bool TakesHeaders { get; }

    /// <summary>The name of the other server's cluster; empty where it is not known. Messages from a cluster do not go back to it.</summary>
    public abstract byte[] Cluster { get; }

    /// <summary>Whether a message on a subject may be sent.</summary>
    /// <param name="subject">The message's subject.</param>
    /// <param name="replyTo">Its reply subject or nothing: the other side may answer it from now on, where only answers are allowed.</param>
    public abstract bool MaySend(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo);

    /// <summary>Whether messages that came from one link may go to another one.</summary>
    /// <param name="source">Where the message came from; null for a client or the broker.</param>
    /// <param name="target">Where it would go.</param>
    public static bool MayForward(LeafLink? source, LeafLink target)
        => source is null || (!ReferenceEquals(source, target) && (source.Cluster.Length == 0 || !source.Cluster.AsSpan().SequenceEqual(target.Cluster)));
}
