namespace Postrider.Broker.Routes;

/// <summary>A server that the broker connects to, for the pool or for one account.</summary>
/// <param name="address">The address.</param>
/// <param name="account">The only account of the connection; null for connections of the pool.</param>
/// <param name="isExplicit">Whether it is configured; else another server announced it.</param>
/// <param name="gossipMode">What the other server was told about announcing the route.</param>
internal sealed class RouteTarget(RouteAddress address, string? account, bool isExplicit, byte gossipMode)
{
    private int _connections = 1;

    /// <summary>The address.</summary>
    public RouteAddress Address => address;

    /// <summary>The only account of the connection; null for connections of the pool.</summary>
    public string? Account => account;

    /// <summary>Whether it is configured.</summary>
    public bool IsExplicit => isExplicit;

    /// <summary>Whether the other server is to announce the route.</summary>
    public byte GossipMode => gossipMode;

    /// <summary>Stops connecting.</summary>
    public CancellationTokenSource Stopping { get; } = new();

    /// <summary>Counts one more connection that is kept up.</summary>
    /// <param name="max">How many there may be.</param>
    /// <returns>False when there are as many.</returns>
    public bool TryAddConnection(int max)
    {
        if (Interlocked.Increment(ref _connections) <= max) return true;
        Interlocked.Decrement(ref _connections);
        return false;
    }

    /// <summary>Whether none is kept up any more.</summary>
    public bool HasNoConnections => Volatile.Read(ref _connections) <= 0;

    /// <summary>Counts a connection out.</summary>
    public void RemoveConnection() => Interlocked.Decrement(ref _connections);
}
