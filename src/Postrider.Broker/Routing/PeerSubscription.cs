using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Another server's interest in a subject: messages go to it once, however many of its subscriptions they match.</summary>
/// <param name="link">The connection to the server.</param>
/// <param name="subject">The subject or pattern.</param>
/// <param name="queueGroup">The queue group, or nothing.</param>
internal sealed class PeerSubscription(PeerLink link, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup)
    : Subscription(subject, queueGroup, DeliveryConditions.Peer)
{
    private int _weight = 1;

    /// <summary>The connection to the server.</summary>
    public PeerLink Link { get; } = link;

    /// <inheritdoc/>
    public override Outbox? Outbox => Link.Outbox;

    /// <summary>How many members of the queue group are behind it, 1 and up.</summary>
    public int Weight
    {
        get => Volatile.Read(ref _weight);
        set => Volatile.Write(ref _weight, Math.Max(1, value));
    }
}
