using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Another server's interest in a subject: messages are sent to it once, however many of its subscriptions they match.</summary>
/// <param name="link">The connection to the server.</param>
/// <param name="subject">The subject or pattern.</param>
/// <param name="queueGroup">The queue group, or empty.</param>
/// <param name="origin">The cluster of the interested leaf node, if a route names it; null for that of the connection.</param>
internal sealed class PeerSubscription(PeerLink link, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, byte[]? origin = null)
    : Subscription(subject, queueGroup, DeliveryConditions.Peer)
{
    private int _weight = 1;

    /// <summary>The connection to the server.</summary>
    public PeerLink Link { get; } = link;

    /// <summary>The cluster of the interested leaf node, which gets no messages that come from it; empty for a server of the broker's own cluster.</summary>
    public byte[] Origin { get; } = origin ?? link.Cluster;

    /// <summary>The subjects that the other server sees if its account imports messages from the subscription's; null for the account's own.</summary>
    public ImportedSubject? Import { get; private init; }

    /// <inheritdoc/>
    public override Outbox? Outbox => Link.Outbox;

    /// <summary>The number of members of the queue group that it represents, 1 or more.</summary>
    public int Weight
    {
        get => Volatile.Read(ref _weight);
        set => Volatile.Write(ref _weight, Math.Max(1, value));
    }

    /// <summary>Creates the additional subscription in an account that its own account imports from.</summary>
    public PeerSubscription InExporter(ReadOnlySpan<byte> subject, ImportedSubject import)
        => new(Link, subject, QueueGroup, Origin) { Import = import, Weight = Weight, Conditions = DeliveryConditions.Peer | DeliveryConditions.Imported };
}
