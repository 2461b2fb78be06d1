using System.Collections.Concurrent;
using Postrider.Broker.Accounts;

namespace Postrider.Broker.Leafs;

/// <summary>The open leaf node connections, and the totals of closed ones.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class LeafRegistry
{
    private readonly ConcurrentDictionary<ulong, LeafSession> _open = new();

    // Guards the counts by account, and serializes the registration of connections.
    private readonly Lock _gate = new();
    private readonly Dictionary<Account, int> _counts = [];
    private long _inMessages;
    private long _inBytes;
    private long _outMessages;
    private long _outBytes;

    /// <summary>The open connections, including those in their handshake.</summary>
    public IEnumerable<LeafSession> Open => _open.Values;

    /// <summary>The connections that belong to an account.</summary>
    public IEnumerable<LeafSession> Registered => _open.Values.Where(static session => session.IsRegistered);

    /// <summary>The number of connections of an account.</summary>
    public int CountOf(Account account)
    {
        lock (_gate) return _counts.GetValueOrDefault(account);
    }

    /// <summary>Adds a connection that begins its handshake.</summary>
    public void Add(LeafSession session) => _open[session.Id] = session;

    /// <summary>Counts a connection among those of its account.</summary>
    /// <param name="session">A connection that has completed its handshake.</param>
    /// <param name="duplicate">An accepted connection from the same server for the same accounts, which it replaces; null for none.</param>
    /// <returns>False when the account has reached its maximum number of connections.</returns>
    public bool TryRegister(LeafSession session, out LeafSession? duplicate)
    {
        lock (_gate)
        {
            duplicate = session.Remote is null ? Registered.FirstOrDefault(known => IsReplacedBy(known, session)) : null;
            var count = _counts.GetValueOrDefault(session.Account);
            var max = session.Account.Definition.MaxLeafNodes;
            if (max >= 0 && count - (duplicate is null ? 0 : 1) >= max) return false;
            _counts[session.Account] = count + 1;
            session.IsRegistered = true;
            return true;
        }
    }

    /// <summary>Whether a subject of loop detection that a hub announces is known from a leaf node of the account, or the other way round: then its
    /// server is above and below this one. Also for loops of two servers, whose connections lead to each other.</summary>
    public bool IsKnownFromOtherSide(LeafSession session, ReadOnlySpan<byte> subject)
    {
        foreach (var known in Registered)
        {
            if (!ReferenceEquals(known, session) && ReferenceEquals(known.Account, session.Account) && known.IsSpoke != session.IsSpoke
                && known.Subscriptions.Find(subject, []) is not null) return true;
        }
        return false;
    }

    /// <summary>The last connection that the hub of a solicited one has made to this server in the same account, as its leaf node: it closes the loop.
    /// Null if there is none; an accepted connection never ends another one.</summary>
    public LeafSession? FindLaterFromHub(LeafSession session)
        => session.Remote is null || session.ServerName.Length == 0 ? null
            : Registered.Where(known => known.Remote is null && known.Id > session.Id && known.IsSpoke != session.IsSpoke
                && known.ServerName == session.ServerName && ReferenceEquals(known.Account, session.Account)).MaxBy(static known => known.Id);

    /// <summary>Removes a closed connection.</summary>
    /// <param name="session">The connection.</param>
    /// <param name="isSlow">Whether it was closed because it read too slowly.</param>
    public void Remove(LeafSession session, bool isSlow)
    {
        if (!_open.TryRemove(session.Id, out _)) return;
        var traffic = session.Traffic with { SlowConsumers = isSlow ? 1 : 0 };
        lock (_gate)
        {
            _inMessages += traffic.InMessages;
            _inBytes += traffic.InBytes;
            _outMessages += traffic.OutMessages;
            _outBytes += traffic.OutBytes;
            if (!session.IsRegistered) return;
            if (_counts.GetValueOrDefault(session.Account) is var count and > 1) _counts[session.Account] = count - 1;
            else _counts.Remove(session.Account);
        }
        session.Account.ClosedLeafTraffic.Add(traffic);
    }

    /// <summary>Messages and bytes of all connections, open and closed.</summary>
    public (long InMessages, long InBytes, long OutMessages, long OutBytes) Sum()
    {
        long inMessages, inBytes, outMessages, outBytes;
        lock (_gate) (inMessages, inBytes, outMessages, outBytes) = (_inMessages, _inBytes, _outMessages, _outBytes);
        foreach (var session in _open.Values)
        {
            inMessages += session.InMessages;
            inBytes += session.InBytes;
            outMessages += session.Outbox.Messages;
            outBytes += session.Outbox.MessageBytes;
        }
        return (inMessages, inBytes, outMessages, outBytes);
    }

    // The other server has connected again for the same accounts.
    private static bool IsReplacedBy(LeafSession known, LeafSession session)
        => !ReferenceEquals(known, session) && known.Remote is null && known.ServerName.Length > 0 && known.RemoteAccountName.Length > 0
            && known.ServerName == session.ServerName && known.RemoteAccountName == session.RemoteAccountName && ReferenceEquals(known.Account, session.Account)
            && known.Cluster.AsSpan().SequenceEqual(session.Cluster);
}
