namespace Postrider.Broker.Monitoring;

/// <summary>The query of <c>/connz</c>.</summary>
public sealed record ConnzQuery
{
    /// <summary>Connections on a page when the query does not set a limit.</summary>
    public const int DefaultLimit = 1024;

    /// <summary>Order: <c>cid start subs pending msgs_to msgs_from bytes_to bytes_from last idle uptime stop reason rtt</c>, and, not in
    /// nats-server, <c>name ip account user lang</c>; empty means <c>cid</c>.</summary>
    public string Sort { get; init; } = "";

    /// <summary>Whether the order is reversed. Not in nats-server.</summary>
    public bool Reverse { get; init; }

    /// <summary>Only connections whose name, address, account, user or language contains this text, case-insensitively; empty for all.
    /// Not in nats-server.</summary>
    public string Search { get; init; } = "";

    /// <summary>Whether to show users and accounts.</summary>
    public bool Auth { get; init; }

    /// <summary>Whether to show the subjects of the subscriptions.</summary>
    public bool Subscriptions { get; init; }

    /// <summary>Whether to show the subscriptions in detail.</summary>
    public bool SubscriptionDetails { get; init; }

    /// <summary>Number of connections to skip.</summary>
    public int Offset { get; init; }

    /// <summary>Maximum number of connections to show; zero or less is <see cref="DefaultLimit"/>.</summary>
    public int Limit { get; init; }

    /// <summary>The only connection to show; zero for all.</summary>
    public ulong ConnectionId { get; init; }

    /// <summary>Filters connections by their state.</summary>
    public ConnectionFilter State { get; init; }

    /// <summary>Only connections of this user; empty for all.</summary>
    public string User { get; init; } = "";

    /// <summary>Only connections of this account; empty for all.</summary>
    public string Account { get; init; } = "";

    /// <summary>Only connections with a subscription that receives messages on this subject, or that this pattern covers; empty for all.
    /// Only together with <see cref="Account"/>.</summary>
    public string FilterSubject { get; init; } = "";
}
