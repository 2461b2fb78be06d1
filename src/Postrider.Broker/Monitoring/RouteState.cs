using Postrider.Wire.Frames;

namespace Postrider.Broker.Monitoring;

/// <summary>One connection to another server of the cluster as monitoring shows it.</summary>
public sealed record RouteState
{
    /// <summary>The broker's id of the connection.</summary>
    public required ulong Id { get; init; }

    /// <summary>The other server's id.</summary>
    public required string RemoteId { get; init; }

    /// <summary>The other server's name.</summary>
    public required string RemoteName { get; init; }

    /// <summary>Whether the broker opened the connection.</summary>
    public bool DidSolicit { get; init; }

    /// <summary>Whether it is to a configured address.</summary>
    public bool IsConfigured { get; init; }

    /// <summary>The other server's address.</summary>
    public string RemoteAddress { get; init; } = "";

    /// <summary>The other server's port.</summary>
    public int RemotePort { get; init; }

    /// <summary>When the connection was established.</summary>
    public DateTimeOffset StartedAt { get; init; }

    /// <summary>When something was last received.</summary>
    public DateTimeOffset LastActivity { get; init; }

    /// <summary>Last time from PING to PONG; zero when none was measured.</summary>
    public TimeSpan RoundTrip { get; init; }

    /// <summary>Bytes waiting to be sent.</summary>
    public long PendingBytes { get; init; }

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

    /// <summary>The number of the other server's subscriptions.</summary>
    public int SubscriptionCount { get; init; }

    /// <summary>The subscriptions; null unless requested.</summary>
    public IReadOnlyList<SubscriptionState>? Subscriptions { get; init; }

    /// <summary>The interest that the other server shares, as it announced; null for everything.</summary>
    public PermittedSubjects? Import { get; init; }

    /// <summary>The interest that the other server accepts, as it announced; null for everything.</summary>
    public PermittedSubjects? Export { get; init; }

    /// <summary>The only account of the connection; empty for one of the pool.</summary>
    public string Account { get; init; } = "";
}
