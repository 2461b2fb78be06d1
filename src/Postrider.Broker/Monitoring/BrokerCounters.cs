namespace Postrider.Broker.Monitoring;

/// <summary>Counters since the broker's start.</summary>
public sealed record BrokerCounters
{
    /// <summary>Open client connections.</summary>
    public int Connections { get; init; }

    /// <summary>Client connections ever accepted.</summary>
    public ulong TotalConnections { get; init; }

    /// <summary>Messages received from clients.</summary>
    public long InMessages { get; init; }

    /// <summary>Payload and header bytes received from clients.</summary>
    public long InBytes { get; init; }

    /// <summary>Messages sent to clients.</summary>
    public long OutMessages { get; init; }

    /// <summary>Payload and header bytes sent to clients.</summary>
    public long OutBytes { get; init; }

    /// <summary>Messages received over routes.</summary>
    public long RouteInMessages { get; init; }

    /// <summary>Payload and header bytes received over routes.</summary>
    public long RouteInBytes { get; init; }

    /// <summary>Messages sent over routes.</summary>
    public long RouteOutMessages { get; init; }

    /// <summary>Payload and header bytes sent over routes.</summary>
    public long RouteOutBytes { get; init; }

    /// <summary>Messages received over leaf node connections.</summary>
    public long LeafInMessages { get; init; }

    /// <summary>Payload and header bytes received over leaf node connections.</summary>
    public long LeafInBytes { get; init; }

    /// <summary>Messages sent over leaf node connections.</summary>
    public long LeafOutMessages { get; init; }

    /// <summary>Payload and header bytes sent over leaf node connections.</summary>
    public long LeafOutBytes { get; init; }

    /// <summary>Connections closed because they did not read fast enough.</summary>
    public long SlowConsumers { get; init; }

    /// <summary>Those of them that were routes.</summary>
    public long SlowRoutes { get; init; }

    /// <summary>Those of them that were leaf nodes.</summary>
    public long SlowLeafNodes { get; init; }

    /// <summary>Connections closed because PINGs went unanswered.</summary>
    public long StaleConnections { get; init; }

    /// <summary>Those of them that were routes.</summary>
    public long StaleRoutes { get; init; }

    /// <summary>Those of them that were leaf nodes.</summary>
    public long StaleLeafNodes { get; init; }

    /// <summary>Times a producer was slowed down for a subscriber that fell behind.</summary>
    public long StalledClients { get; init; }

    /// <summary>Current subscriptions.</summary>
    public int Subscriptions { get; init; }
}
