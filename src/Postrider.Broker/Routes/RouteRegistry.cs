using System.Collections.Concurrent;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routes;

/// <summary>The connections to the other servers of the cluster, and the totals of closed ones.</summary>
/// <remarks>Thread-safe. Source: nats-server, route protocol.</remarks>
internal sealed class RouteRegistry(RouteContext context)
{
    // A larger value is considered an error.
    private const int MaxPoolSize = 1000;

    private const byte GossipDisabled = 1;
    private const byte GossipOverride = 2;

    // Guards the servers and the totals. Held together with Outbox's lock.
    private readonly Lock _gate = new();
    private readonly ConcurrentDictionary<ulong, RouteSession> _open = new();
    private readonly Dictionary<string, RoutePeer> _peers = new(StringComparer.Ordinal);
    private TaskCompletionSource _freed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _inMessages;
    private long _inBytes;
    private long _outMessages;
    private long _outBytes;

    /// <summary>The broker's own addresses for clients over WebSockets; set before there are connections.</summary>
    public IReadOnlyList<string> OwnWebSocketUrls { get; set; } = [];

    /// <summary>The open connections, including those in their handshake.</summary>
    public IEnumerable<RouteSession> Open => _open.Values;

    /// <summary>The connections that have been registered.</summary>
    public IEnumerable<RouteSession> Registered => _open.Values.Where(static session => session.IsRegistered);

    /// <summary>The number of other servers.</summary>
    public int PeerCount
    {
        get
        {
            lock (_gate) return _peers.Count;
        }
    }

    /// <summary>Adds a connection that begins its handshake.</summary>
    public void Add(RouteSession session) => _open[session.Id] = session;

    /// <summary>Registers a connection, announces its server to the others and starts its use.</summary>
    /// <param name="session">A connection whose server has sent its INFO.</param>
    /// <param name="info">The INFO.</param>
    /// <param name="problem">The error to send to it; null for a duplicate.</param>
    /// <returns>False when the connection must end.</returns>
    public bool TryRegister(RouteSession session, ServerInfo info, out string? problem)
    {
        lock (_gate)
        {
            problem = FindPlace(session, info, out var peer);
            if (problem is not null)
            {
                session.Refusal = RouteRefusal.Impossible;
                return false;
            }
            if (peer is null)
            {
                session.Refusal = RouteRefusal.Duplicate;
                return false;
            }
            // Before interest, which depends on it.
            if (session.IsInfoDelayed) session.Send(context.RenderInfo(session, session.Target!.GossipMode));
            session.IsRegistered = true;
            if (session.PinnedAccount is not null || peer.PoolCount == 1) Announce(session, info);
            if (session.PinnedAccount is null && peer.PoolCount == 1)
            {
                if (!context.Options.NoAdvertise) (peer.ClientUrls, peer.WebSocketUrls) = (info.ConnectUrls ?? [], info.WebSocketConnectUrls ?? []);
                peer.LeafNodeUrl = info.LeafNodeUrls is [{ Length: > 0 } url] ? url : null;
            }
        }
        session.Begin();
        UpdateUrls();
        // The connection may have ended before it was registered here.
        if (session.Ended.IsCompleted) Remove(session);
        return true;
    }

    /// <summary>Whether there is a route to a server.</summary>
    /// <param name="server">The server's id.</param>
    /// <param name="account">The account for a dedicated route, or empty.</param>
    public bool Knows(string server, string? account)
    {
        lock (_gate)
        {
            if (!_peers.TryGetValue(server, out var peer)) return false;
            return string.IsNullOrEmpty(account) ? peer.PoolCount > 0 : peer.Pinned.ContainsKey(account);
        }
    }

    /// <summary>Whether there is room for another connection to a server.</summary>
    /// <param name="server">The server's id.</param>
    /// <param name="account">The account for a dedicated route, or null.</param>
    /// <param name="freed">Completes when there is room again.</param>
    /// <param name="size">The size of the pool.</param>
    public bool HasPlace(string server, string? account, out Task freed, out int size)
    {
        lock (_gate)
        {
            freed = _freed.Task;
            size = 0;
            if (!_peers.TryGetValue(server, out var peer)) return true;
            size = peer.Size;
            return account is null ? peer.FreePlace >= 0 : !peer.Pinned.ContainsKey(account);
        }
    }

    /// <summary>Removes a closed connection.</summary>
    public void Remove(RouteSession session)
    {
        lock (_gate)
        {
            if (_open.TryRemove(session.Id, out _))
            {
                _inMessages += session.InMessages;
                _inBytes += session.InBytes;
                _outMessages += session.Outbox.Messages;
                _outBytes += session.Outbox.MessageBytes;
            }
            if (!_peers.TryGetValue(session.RemoteId, out var peer)) return;
            var place = Array.IndexOf(peer.Pool, session);
            if (place >= 0) peer.Pool[place] = null;
            var isPinned = session.PinnedAccount is { } account && peer.Pinned.TryGetValue(account, out var known) && ReferenceEquals(known, session);
            if (isPinned) peer.Pinned.Remove(session.PinnedAccount!);
            if (place < 0 && !isPinned) return;
            if (peer.IsEmpty) _peers.Remove(peer.Id);
            _freed.TrySetResult();
            _freed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }
        UpdateUrls();
    }

    /// <summary>Removes the addresses of a server in lame duck mode from those that are announced to clients.</summary>
    public void ForgetUrlsOf(string server)
    {
        lock (_gate)
        {
            if (!_peers.TryGetValue(server, out var peer)) return;
            (peer.ClientUrls, peer.WebSocketUrls) = ([], []);
        }
        UpdateClientUrls();
    }

    /// <summary>Removes the broker's own addresses from those that are announced to clients; the caller announces the rest.</summary>
    public void ForgetOwnUrls()
    {
        (context.ClientUrls, OwnWebSocketUrls) = ([], []);
        TryUpdateClientUrls();
    }

    /// <summary>Ends the connections to all servers except one.</summary>
    public void EndAllBut(string server)
    {
        foreach (var session in Registered)
            if (session.RemoteId != server) session.End(Sessions.ClosedState.ClientClosed, null);
    }

    /// <summary>Sends a frame to each server once.</summary>
    public void SendToEach(ReadOnlySpan<byte> frame)
    {
        lock (_gate)
        {
            foreach (var peer in _peers.Values) peer.For(null)?.Send(frame);
        }
    }

    /// <summary>Messages and bytes of all connections, open and closed.</summary>
    public (long InMessages, long InBytes, long OutMessages, long OutBytes) Sum()
    {
        lock (_gate)
        {
            var (inMessages, inBytes, outMessages, outBytes) = (_inMessages, _inBytes, _outMessages, _outBytes);
            foreach (var session in _open.Values)
            {
                inMessages += session.InMessages;
                inBytes += session.InBytes;
                outMessages += session.Outbox.Messages;
                outBytes += session.Outbox.MessageBytes;
            }
            return (inMessages, inBytes, outMessages, outBytes);
        }
    }

    // The error for the other server; null for a duplicate.
    private string? FindPlace(RouteSession session, ServerInfo info, out RoutePeer? peer)
    {
        peer = null;
        var withoutPool = info.RoutePoolSize <= 0 || context.PoolSize == 0;
        var size = withoutPool ? 1 : Math.Max(context.PoolSize, Math.Min(info.RoutePoolSize, MaxPoolSize));
        if (session.PinnedAccount is { } account)
        {
            if (withoutPool) return $"Not possible to have a dedicated route for account {GoQuote.Quote(account)} between those servers";
            if (!context.IsPinned(account)) return $"No route for account {GoQuote.Quote(account)}";
            var owner = PeerOf(info, size);
            if (owner.Pinned.TryAdd(account, session)) peer = owner;
            return null;
        }
        if (!withoutPool && session.Target is not null && info.RoutePoolIndex != 0) return $"Route pool index should not be set but is set to {info.RoutePoolIndex}";
        if (!withoutPool && session.Target is null && (info.RoutePoolIndex < 0 || info.RoutePoolIndex >= size))
            return $"Invalid route pool index: {info.RoutePoolIndex} - pool size is {info.RoutePoolSize}";
        var candidate = PeerOf(info, size);
        var place = withoutPool ? 0 : session.Target is null ? info.RoutePoolIndex : candidate.FreePlace;
        if (place < 0 || candidate.Pool[place] is not null) return null;
        candidate.Pool[place] = session;
        (session.PoolIndex, session.IsWithoutPool) = (place, withoutPool);
        peer = candidate;
        return null;
    }

    private RoutePeer PeerOf(ServerInfo info, int size)
    {
        if (!_peers.TryGetValue(info.ServerId, out var peer)) _peers[info.ServerId] = peer = new RoutePeer(info, size);
        // The configured size may have changed.
        else if (peer.Size != size) peer.Resize(size);
        return peer;
    }

    // Announces the new server to each other server, which connects to it.
    private void Announce(RouteSession session, ServerInfo info)
    {
        var target = session.Target;
        var isFromGossip = target is { IsExplicit: false };
        if ((isFromGossip && target!.GossipMode != GossipOverride) || info.GossipMode == GossipDisabled) return;
        foreach (var peer in _peers.Values)
        {
            if (peer.Id == info.ServerId || peer.For(session.PinnedAccount) is not { } other || (session.PinnedAccount is not null && other.IsWithoutPool)) continue;
            var isExplicit = target is { IsExplicit: true } || (target is null && other.Target is { IsExplicit: true });
            var mode = isExplicit ? GossipOverride : target is null ? GossipDisabled : (byte)0;
            other.Send(RouteContext.Render(info with { Nonce = null, GossipMode = mode }));
        }
    }

    private void UpdateUrls()
    {
        UpdateClientUrls();
        UpdateLeafNodeUrls();
    }

    private void UpdateLeafNodeUrls()
    {
        lock (_gate)
        {
            string[] urls = [.. _peers.Values.Select(static peer => peer.LeafNodeUrl).OfType<string>().Order(StringComparer.Ordinal)];
            if (urls.SequenceEqual(context.Sessions.OtherLeafNodeUrls, StringComparer.Ordinal)) return;
            context.Sessions.OtherLeafNodeUrls = urls;
        }
        context.Sessions.LeafNodeUrlsChanged?.Invoke();
    }

    // The addresses for clients: the broker's own and those of the other servers.
    private void UpdateClientUrls()
    {
        if (!TryUpdateClientUrls()) return;
        foreach (var session in context.Sessions.Sessions.Open) session.SendInfo();
    }

    private bool TryUpdateClientUrls()
    {
        string[]? urls, webSocketUrls;
        lock (_gate)
        {
            if (context.Options.NoAdvertise) return false;
            var sessions = context.Sessions;
            urls = _peers.Count == 0 ? null : [.. context.ClientUrls.Concat(_peers.Values.SelectMany(static peer => peer.ClientUrls)).Distinct(StringComparer.Ordinal)];
            webSocketUrls = [.. OwnWebSocketUrls.Concat(_peers.Values.SelectMany(static peer => peer.WebSocketUrls)).Distinct(StringComparer.Ordinal)];
            if (webSocketUrls.Length == 0) webSocketUrls = null;
            var before = sessions.Info;
            if ((before.ConnectUrls ?? []).SequenceEqual(urls ?? [], StringComparer.Ordinal)
                && (before.WebSocketConnectUrls ?? []).SequenceEqual(webSocketUrls ?? [], StringComparer.Ordinal)) return false;
            sessions.Info = before with { ConnectUrls = urls, WebSocketConnectUrls = webSocketUrls };
        }
        return true;
    }
}
