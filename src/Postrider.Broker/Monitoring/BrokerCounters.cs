namespace Postrider.Broker.Monitoring;

/// <summary>Sums over a broker's life.</summary>
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

    /// <summary>Connections cut off because they did not read fast enough.</summary>
    public long SlowConsumers { get; init; }

    /// <summary>Connections closed because PINGs went unanswered.</summary>
    public long StaleConnections { get; init; }

    /// <summary>Times a producer was slowed for a subscriber that fell behind.</summary>
    public long StalledClients { get; init; }

    /// <summary>Subscriptions that exist now.</summary>
    public int Subscriptions { get; init; }
}
