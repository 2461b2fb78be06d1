using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Another server's interest in a subject: messages go to it once, however many of its subscriptions they match.</summary>
/// <param name="link">The connection to the server.</param>
/// <param name="subject">The subject or pattern.</param>
/// <param name="queueGroup">The queue group, or nothing.</param>
/// <param name="origin">The cluster of the leaf node that is interested, where a route says so; null for that of the connection.</param>
internal sealed class PeerSubscription(PeerLink link, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, byte[]? origin = null)
    : Subscription(subject, queueGroup, DeliveryConditions.Peer)
{
    private int _weight = 1;

    /// <summary>The connection to the server.</summary>
    public PeerLink Link { get; } = link;

    /// <summary>The cluster of the leaf node that is interested; empty for a server of the broker's own cluster. What comes from that cluster does not go there.</summary>
    public byte[] Origin { get; } = origin ?? link.Cluster;

    /// <summary>The subjects that the other server sees, where its account imports messages from the one that the subscription is in; null for the account's own.</summary>
    public ImportedSubject? Import { get; private init; }

    /// <inheritdoc/>
    public override Outbox? Outbox => Link.Outbox;

    /// <summary>How many members of the queue group are behind it, 1 and up.</summary>
    public int Weight
    {
        get => Volatile.Read(ref _weight);
        set => Volatile.Write(ref _weight, Math.Max(1, value));
    }

    /// <summary>Makes the subscription that stands beside it in the account that its own account imports messages from.</summary>
    public PeerSubscription InExporter(ReadOnlySpan<byte> subject, ImportedSubject import)
        => new(Link, subject, QueueGroup, Origin) { Import = import, Weight = Weight, Conditions = DeliveryConditions.Peer | DeliveryConditions.Imported };
}
