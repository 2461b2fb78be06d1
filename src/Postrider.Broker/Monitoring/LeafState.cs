namespace Postrider.Broker.Monitoring;

/// <summary>One leaf node connection as monitoring shows it.</summary>
public sealed record LeafState
{
    /// <summary>The broker's id of the connection.</summary>
    public required ulong Id { get; init; }

    /// <summary>The other server's name.</summary>
    public required string Name { get; init; }

    /// <summary>Whether this broker is the leaf node and the other server the hub.</summary>
    public bool IsSpoke { get; init; }

    /// <summary>Whether interest of other leaf nodes is kept from it.</summary>
    public bool IsIsolated { get; init; }

    /// <summary>The account on this side.</summary>
    public required string Account { get; init; }

    /// <summary>The other server's address.</summary>
    public string RemoteAddress { get; init; } = "";

    /// <summary>The other server's port.</summary>
    public int RemotePort { get; init; }

    /// <summary>Last time from PING to PONG; zero when none was measured.</summary>
    public TimeSpan RoundTrip { get; init; }

    /// <summary>Messages received.</summary>
    public long InMessages { get; init; }

    /// <summary>Header and payload bytes received.</summary>
    public long InBytes { get; init; }

    /// <summary>Messages sent.</summary>
    public long OutMessages { get; init; }

    /// <summary>Header and payload bytes sent.</summary>
    public long OutBytes { get; init; }

    /// <summary>The negotiated compression, such as <c>off</c> or <c>s2_fast</c>.</summary>
    public string Compression { get; init; } = "off";

    /// <summary>Whether the connection is a WebSocket.</summary>
    public bool IsWebSocket { get; init; }

    /// <summary>The number of the other server's subscriptions.</summary>
    public int SubscriptionCount { get; init; }

    /// <summary>Their subjects; null unless requested.</summary>
    public IReadOnlyList<string>? Subscriptions { get; init; }
}
