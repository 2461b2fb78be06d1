using Postrider.Broker.Subjects;

namespace Postrider.Broker.Routing;

/// <summary>Another server's subscriptions by subject and queue group.</summary>
/// <remarks>Thread-safe: changed by the connection's thread, read by monitoring.</remarks>
/// <param name="hasOrigins">Whether there may be several for a subject, each for another cluster of leaf nodes.</param>
internal sealed class PeerSubscriptionTable(bool hasOrigins = false)
{
    // Guards the dictionary; nothing else is locked while it is held.
    private readonly Lock _gate = new();
    private readonly Dictionary<byte[], PeerSubscription> _byKey = new(ByteKeyComparer.Instance);

    /// <summary>The number of subscriptions.</summary>
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
        lock (_gate) _byKey[KeyOf(subscription)] = subscription;
    }

    /// <summary>The subscription to a subject in a queue group, or null.</summary>
    public PeerSubscription? Find(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, ReadOnlySpan<byte> origin = default)
    {
        var key = IsSubjectAlone(queueGroup, origin) ? subject : KeyOf(subject, queueGroup, origin);
        lock (_gate) return _byKey.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(key, out var found) ? found : null;
    }

    /// <summary>A leaf node's subscription to a subject in a queue group, or null. Checks all of them: older servers do not name the cluster.</summary>
    public PeerSubscription? FindOfLeafNode(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup)
    {
        foreach (var one in All())
            if (one.Origin.Length > 0 && subject.SequenceEqual(one.SubjectBytes) && queueGroup.SequenceEqual(one.QueueGroup)) return one;
        return null;
    }

    /// <summary>Removes a subscription.</summary>
    public void Remove(PeerSubscription subscription)
    {
        lock (_gate) _byKey.Remove(KeyOf(subscription));
    }

    /// <summary>Removes and returns all subscriptions.</summary>
    public PeerSubscription[] Clear()
    {
        lock (_gate)
        {
            PeerSubscription[] all = [.. _byKey.Values];
            _byKey.Clear();
            return all;
        }
    }

    /// <summary>All current subscriptions.</summary>
    public PeerSubscription[] All()
    {
        lock (_gate) return [.. _byKey.Values];
    }

    // The key of a subject alone is the subscription's own array.
    private byte[] KeyOf(PeerSubscription one)
        => IsSubjectAlone(one.QueueGroup, one.Origin) ? one.SubjectBytes : KeyOf(one.SubjectBytes, one.QueueGroup, one.Origin);

    private bool IsSubjectAlone(ReadOnlySpan<byte> queueGroup, ReadOnlySpan<byte> origin) => queueGroup.IsEmpty && (origin.IsEmpty || !hasOrigins);

    // Names contain no spaces.
    private byte[] KeyOf(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, ReadOnlySpan<byte> origin)
        => hasOrigins && !origin.IsEmpty ? [.. subject, (byte)' ', .. queueGroup, (byte)' ', .. origin] : [.. subject, (byte)' ', .. queueGroup];
}
