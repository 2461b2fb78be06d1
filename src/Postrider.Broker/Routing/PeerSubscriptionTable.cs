using Postrider.Broker.Subjects;

namespace Postrider.Broker.Routing;

/// <summary>Another server's subscriptions by their subjects and queue groups.</summary>
/// <remarks>Thread-safe: changed by the connection's thread, read by monitoring.</remarks>
internal sealed class PeerSubscriptionTable
{
    // Guards the dictionary; nothing else is locked while it is held.
    private readonly Lock _gate = new();
    private readonly Dictionary<byte[], PeerSubscription> _byKey = new(ByteKeyComparer.Instance);

    /// <summary>How many there are.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _byKey.Count;
        }
    }

    /// <summary>Adds a subscription.</summary>
    public void Add(PeerSubscription subscription)
    {
        lock (_gate) _byKey[KeyOf(subscription.SubjectBytes, subscription.QueueGroup)] = subscription;
    }

    /// <summary>The subscription to a subject in a queue group, or null.</summary>
    public PeerSubscription? Find(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup)
    {
        lock (_gate) return _byKey.GetValueOrDefault(KeyOf(subject, queueGroup));
    }

    /// <summary>Removes a subscription.</summary>
    public void Remove(PeerSubscription subscription)
    {
        lock (_gate) _byKey.Remove(KeyOf(subscription.SubjectBytes, subscription.QueueGroup));
    }

    /// <summary>Takes all subscriptions out.</summary>
    public PeerSubscription[] Clear()
    {
        lock (_gate)
        {
            PeerSubscription[] all = [.. _byKey.Values];
            _byKey.Clear();
            return all;
        }
    }

    /// <summary>All subscriptions now.</summary>
    public PeerSubscription[] All()
    {
        lock (_gate) return [.. _byKey.Values];
    }

    private static byte[] KeyOf(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup)
        => queueGroup.IsEmpty ? subject.ToArray() : [.. subject, (byte)' ', .. queueGroup];
}
