namespace Postrider.Broker.Routes;

/// <summary>A server that the broker connects to, for the pool or for one account.</summary>
/// <param name="address">The address.</param>
/// <param name="account">The account of a dedicated connection; null for connections of the pool.</param>
/// <param name="isExplicit">Whether it is configured; else another server announced it.</param>
/// <param name="gossipMode">The mode sent to the other server for announcing the route.</param>
internal sealed class RouteTarget(RouteAddress address, string? account, bool isExplicit, byte gossipMode)
{
    private int _connections = 1;

    /// <summary>The address.</summary>
    public RouteAddress Address => address;

    /// <summary>The account of a dedicated connection; null for connections of the pool.</summary>
    public string? Account => account;

    /// <summary>Whether it is configured.</summary>
    public bool IsExplicit => isExplicit;

    /// <summary>Whether the other server has to announce the route.</summary>
    public byte GossipMode => gossipMode;

    /// <summary>Stops connecting.</summary>
    public CancellationTokenSource Stopping { get; } = new();

    /// <summary>Counts another connection that is maintained.</summary>
    /// <param name="max">The maximum number.</param>
    /// <returns>False when the maximum is reached.</returns>
    public bool TryAddConnection(int max)
    {
        if (Interlocked.Increment(ref _connections) <= max) return true;
        Interlocked.Decrement(ref _connections);
        return false;
    }

    /// <summary>Whether no connection is maintained any more.</summary>
    public bool HasNoConnections => Volatile.Read(ref _connections) <= 0;

    /// <summary>Counts a connection that is no longer maintained.</summary>
    public void RemoveConnection() => Interlocked.Decrement(ref _connections);
}
