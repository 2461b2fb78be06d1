using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.Sessions;

/// <summary>A client's subscriptions by their sids.</summary>
/// <remarks>Thread-safe: the last message of a limited subscription may be delivered by any publisher's thread.</remarks>
internal sealed class SubscriptionTable
{
    // Guards the set; nothing else is locked while it is held.
    private readonly Lock _gate = new();

    // Compared by their numbers.
    private HashSet<Subscription>? _bySid;
    private bool _closed;

    /// <summary>The number of subscriptions.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _bySid?.Count ?? 0;
        }
    }

    /// <summary>Adds a subscription.</summary>
    /// <returns>False when the sid is in use or the client is gone.</returns>
    public bool TryAdd(Subscription subscription)
    {
        lock (_gate)
        {
            if (_closed) return false;
            _bySid ??= new HashSet<Subscription>(SidComparer.Instance);
            return _bySid.Add(subscription);
        }
    }

    /// <summary>The subscription with a sid, or null.</summary>
    public Subscription? Find(ReadOnlySpan<byte> sid)
    {
        lock (_gate)
            return _bySid is not null && _bySid.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(sid, out var found) ? found : null;
    }

    /// <summary>Removes a subscription.</summary>
    /// <returns>False when it was removed before.</returns>
    public bool Remove(Subscription subscription)
    {
        lock (_gate)
        {
            return _bySid is not null
                && _bySid.TryGetValue(subscription, out var found)
                && ReferenceEquals(found, subscription)
                && _bySid.Remove(subscription);
        }
    }

    /// <summary>Removes and returns all subscriptions.</summary>
    /// <param name="forGood">Whether no more may be added.</param>
    public Subscription[] Clear(bool forGood)
    {
        lock (_gate)
        {
            _closed |= forGood;
            Subscription[] all = _bySid is null ? [] : [.. _bySid];
            _bySid = null;
            return all;
        }
    }

    /// <summary>All current subscriptions.</summary>
    public Subscription[] All()
    {
        lock (_gate) return _bySid is null ? [] : [.. _bySid];
    }

    private sealed class SidComparer : IEqualityComparer<Subscription>, IAlternateEqualityComparer<ReadOnlySpan<byte>, Subscription>
    {
        public static readonly SidComparer Instance = new();

        public bool Equals(Subscription? x, Subscription? y) => ReferenceEquals(x, y) || (x is not null && y is not null && x.Sid.SequenceEqual(y.Sid));

        public bool Equals(ReadOnlySpan<byte> alternate, Subscription other) => alternate.SequenceEqual(other.Sid);

        public int GetHashCode(Subscription subscription) => GetHashCode(subscription.Sid);

        public int GetHashCode(ReadOnlySpan<byte> alternate) => ByteHash.Compute(alternate).GetHashCode();

        // Numbers are only used to look up subscriptions.
        public Subscription Create(ReadOnlySpan<byte> alternate) => throw new NotSupportedException("A subscription cannot be created from its number.");
    }
}
