using Postrider.Wire.Frames;

namespace Postrider.Broker.Routes;

/// <summary>Another server of the cluster, with its connections.</summary>
/// <remarks>Not thread-safe: guarded by the registry.</remarks>
/// <param name="info">What it said of itself first.</param>
/// <param name="size">How many connections of the pool there may be, 1 and up.</param>
internal sealed class RoutePeer(ServerInfo info, int size)
{
    /// <summary>The server's id.</summary>
    public string Id => info.ServerId;

    /// <summary>The connections of the pool by their places: more than <see cref="Size"/> while those of a larger pool end.</summary>
    public RouteSession?[] Pool { get; private set; } = new RouteSession?[size];

    /// <summary>How many connections of the pool there may be.</summary>
    public int Size { get; private set; } = size;

    /// <summary>The connections of single accounts.</summary>
    public Dictionary<string, RouteSession> Pinned { get; } = new(StringComparer.Ordinal);

    /// <summary>Its addresses for clients.</summary>
    public string[] ClientUrls { get; set; } = [];

    /// <summary>Its addresses for clients over WebSockets.</summary>
    public string[] WebSocketUrls { get; set; } = [];

    /// <summary>How many connections of the pool there are.</summary>
    public int PoolCount => Pool.Count(static session => session is not null);

    /// <summary>The first free place of the pool; -1 for none.</summary>
    public int FreePlace => Array.IndexOf(Pool, null, 0, Size);

    /// <summary>Whether there is no connection.</summary>
    public bool IsEmpty => Pinned.Count == 0 && PoolCount == 0;

    /// <summary>Gives the pool another size.</summary>
    public void Resize(int size)
    {
        Size = size;
        var kept = Math.Max(size, Array.FindLastIndex(Pool, static session => session is not null) + 1);
        if (kept == Pool.Length) return;
        var pool = Pool;
        Array.Resize(ref pool, kept);
        Pool = pool;
    }

    /// <summary>A connection by which other servers are announced to it: that of the account if there is one, else one of the pool.</summary>
    public RouteSession? For(string? account)
        => account is not null && Pinned.TryGetValue(account, out var pinned) ? pinned : Array.Find(Pool, static session => session is not null);
}
