using System.Collections.Concurrent;
using Postrider.Broker.Accounts;
using Postrider.Broker.Monitoring;
using Postrider.Broker.Routing;

namespace Postrider.Broker.Sessions;

/// <summary>The open sessions of clients, the last state of some closed connections, and the totals of all closed sessions.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class SessionRegistry
{
    // The number of a closed session's subscriptions depends on its client: 100,000 take some 20 MB, and their texts no more.
    private const int MaxClosedSubscriptions = 100_000;
    private const int MaxClosedCharacters = 10_000_000;

    private readonly ConcurrentDictionary<ulong, ClientSession> _open = new();

    // Guards the closed sessions and the totals.
    private readonly Lock _gate = new();
    private readonly Queue<(ConnectionInfo State, int Characters)> _closed = new();
    private int _closedSubscriptions;
    private int _closedCharacters;
    private int _count;
    private long _total;
    private long _inMessages;
    private long _inBytes;
    private long _outMessages;
    private long _outBytes;
    private long _slowConsumers;
    private long _slowRoutes;
    private long _slowLeafNodes;
    private long _staleRoutes;
    private long _staleLeafNodes;
    private long _staleConnections;
    private long _stalls;

    /// <summary>The number of open sessions.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The open sessions, in any order.</summary>
    public IEnumerable<ClientSession> Open => _open.Values;

    /// <summary>Finds an open session by its id.</summary>
    public ClientSession? Find(ulong id) => _open.GetValueOrDefault(id);

    /// <summary>Adds a session.</summary>
    /// <param name="session">A new session.</param>
    /// <param name="max">The maximum number of sessions; 0 for no limit, negative for none.</param>
    /// <returns>False when there are too many.</returns>
    public bool TryAdd(ClientSession session, int max)
    {
        Interlocked.Increment(ref _total);
        if (Interlocked.Increment(ref _count) > max && max != 0)
        {
            Interlocked.Decrement(ref _count);
            return false;
        }
        session.Membership.Begin();
        return _open.TryAdd(session.Id, session);
    }

    /// <summary>Removes a session.</summary>
    /// <param name="session">A session that ended.</param>
    /// <param name="end">The reason.</param>
    /// <param name="state">Its last state.</param>
    /// <param name="remembered">Maximum number of closed sessions that are kept.</param>
    public void Remove(ClientSession session, ClosedState end, ConnectionInfo state, int remembered)
    {
        if (_open.TryRemove(session.Id, out _)) Interlocked.Decrement(ref _count);
        session.Membership.End();
        var isSlow = end.IsSlowConsumer();
        session.State.Account.ClosedTraffic.Add(new AccountCounters(state.InMessages, state.InBytes, state.OutMessages, state.OutBytes, isSlow ? 1 : 0));
        lock (_gate)
        {
            _inMessages += state.InMessages;
            _inBytes += state.InBytes;
            _outMessages += state.OutMessages;
            _outBytes += state.OutBytes;
            _stalls += state.Stalls;
            if (isSlow) _slowConsumers++;
            if (end == ClosedState.StaleConnection) _staleConnections++;
        }
        Remember(state, remembered);
    }

    /// <summary>Keeps the last state of a closed connection: a client's or a leaf node's.</summary>
    /// <param name="state">Its last state.</param>
    /// <param name="remembered">Maximum number of closed connections that are kept.</param>
    public void Remember(ConnectionInfo state, int remembered)
    {
        if (remembered <= 0) return;
        var characters = Characters(state);
        lock (_gate)
        {
            while (_closed.Count >= remembered) Forget();
            // It is kept in any case, without its list if need be: its user and why it ended.
            if (!HasRoomFor(state.Subscriptions?.Count ?? 0, characters))
                (state, characters) = (state with { Subscriptions = [] }, 0);
            _closedSubscriptions += state.Subscriptions?.Count ?? 0;
            _closedCharacters += characters;
            _closed.Enqueue((state, characters));
        }
    }

    /// <summary>Counts the end of a route or leaf node if it was slow or did not respond.</summary>
    /// <param name="end">The reason.</param>
    /// <param name="isLeafNode">Whether it was a leaf node, not a route.</param>
    public void CountPeer(ClosedState end, bool isLeafNode)
    {
        if (end.IsSlowConsumer())
            Interlocked.Increment(ref isLeafNode ? ref _slowLeafNodes : ref _slowRoutes);
        else if (end == ClosedState.StaleConnection)
            Interlocked.Increment(ref isLeafNode ? ref _staleLeafNodes : ref _staleRoutes);
    }

    /// <summary>Whether the list of these subscriptions would be kept for a closed session: if not, it need not be created.</summary>
    public bool MayRemember(Subscription[] subscriptions)
        => HasRoomFor(subscriptions.Length, 0)
            && HasRoomFor(subscriptions.Length, subscriptions.Sum(static one => (long)one.SubjectBytes.Length + one.QueueGroup.Length + one.Sid.Length));

    private bool HasRoomFor(int subscriptions, long characters)
        => Volatile.Read(ref _closedSubscriptions) + subscriptions <= MaxClosedSubscriptions
            && Volatile.Read(ref _closedCharacters) + characters <= MaxClosedCharacters;

    private static int Characters(ConnectionInfo state)
        => state.Subscriptions?.Sum(static subscription => subscription.Subject.Length + (subscription.Queue?.Length ?? 0) + subscription.Sid.Length) ?? 0;

    private void Forget()
    {
        var (state, characters) = _closed.Dequeue();
        _closedSubscriptions -= state.Subscriptions?.Count ?? 0;
        _closedCharacters -= characters;
    }

    /// <summary>The closed connections that are kept, the oldest first.</summary>
    public ConnectionInfo[] Closed()
    {
        lock (_gate) return [.. _closed.Select(static closed => closed.State)];
    }

    /// <summary>Totals of all sessions, open and closed.</summary>
    /// <param name="subscriptions">The number of subscriptions, which is counted elsewhere.</param>
    public BrokerCounters Sum(int subscriptions)
    {
        long inMessages, inBytes, outMessages, outBytes, slow, stale, stalls;
        lock (_gate)
        {
            (inMessages, inBytes, outMessages, outBytes) = (_inMessages, _inBytes, _outMessages, _outBytes);
            (slow, stale, stalls) = (_slowConsumers, _staleConnections, _stalls);
        }
        foreach (var session in _open.Values)
        {
            var outbox = session.Connection.Outbox;
            inMessages += session.InMessages;
            inBytes += session.InBytes;
            outMessages += outbox.Messages;
            outBytes += outbox.MessageBytes;
            stalls += outbox.Stalls;
        }
        return new BrokerCounters
        {
            Connections = Count,
            TotalConnections = (ulong)Volatile.Read(ref _total),
            InMessages = inMessages,
            InBytes = inBytes,
            OutMessages = outMessages,
            OutBytes = outBytes,
            SlowConsumers = slow + Volatile.Read(ref _slowRoutes) + Volatile.Read(ref _slowLeafNodes),
            SlowRoutes = Volatile.Read(ref _slowRoutes),
            SlowLeafNodes = Volatile.Read(ref _slowLeafNodes),
            StaleConnections = stale + Volatile.Read(ref _staleRoutes) + Volatile.Read(ref _staleLeafNodes),
            StaleRoutes = Volatile.Read(ref _staleRoutes),
            StaleLeafNodes = Volatile.Read(ref _staleLeafNodes),
            StalledClients = stalls,
            Subscriptions = subscriptions,
        };
    }
}
