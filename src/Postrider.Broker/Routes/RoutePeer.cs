using Postrider.Wire.Frames;

namespace Postrider.Broker.Routes;

/// <summary>Another server of the cluster, with its connections.</summary>
/// <remarks>Not thread-safe: guarded by the registry.</remarks>
/// <param name="info">Its first INFO.</param>
/// <param name="size">The size of the pool, 1 or more.</param>
internal sealed class RoutePeer(ServerInfo info, int size)
{
    /// <summary>The server's id.</summary>
    public string Id => info.ServerId;

    /// <summary>The connections of the pool by index: more than <see cref="Size"/> while those of a larger pool end.</summary>
    public RouteSession?[] Pool { get; private set; } = new RouteSession?[size];

    /// <summary>The size of the pool.</summary>
    public int Size { get; private set; } = size;

    /// <summary>The dedicated connections by account.</summary>
    public Dictionary<string, RouteSession> Pinned { get; } = new(StringComparer.Ordinal);

    /// <summary>Its addresses for clients.</summary>
    public string[] ClientUrls { get; set; } = [];

    /// <summary>Its addresses for clients over WebSockets.</summary>
    public string[] WebSocketUrls { get; set; } = [];

    /// <summary>Its address for leaf nodes; null without one.</summary>
    public string? LeafNodeUrl { get; set; }

    /// <summary>The number of connections in the pool.</summary>
    public int PoolCount => Pool.Count(static session => session is not null);

    /// <summary>The first free index of the pool; -1 for none.</summary>
    public int FreePlace => Array.IndexOf(Pool, null, 0, Size);

    /// <summary>Whether there is no connection.</summary>
    public bool IsEmpty => Pinned.Count == 0 && PoolCount == 0;

    /// <summary>Changes the size of the pool.</summary>
    public void Resize(int size)
    {
        Size = size;
        var kept = Math.Max(size, Array.FindLastIndex(Pool, static session => session is not null) + 1);
        if (kept == Pool.Length) return;
        var pool = Pool;
        Array.Resize(ref pool, kept);
        Pool = pool;
    }

    /// <summary>The connection over which other servers are announced to it: the account's if there is one, else one of the pool.</summary>
    public RouteSession? For(string? account)
        => account is not null && Pinned.TryGetValue(account, out var pinned) ? pinned : Array.Find(Pool, static session => session is not null);
}
