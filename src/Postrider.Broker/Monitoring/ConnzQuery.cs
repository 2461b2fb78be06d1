namespace Postrider.Broker.Monitoring;

/// <summary>What to show on <c>/connz</c>.</summary>
public sealed record ConnzQuery
{
    /// <summary>Connections on a page when the query does not say.</summary>
    public const int DefaultLimit = 1024;

    /// <summary>Order: <c>cid start subs pending msgs_to msgs_from bytes_to bytes_from last idle uptime stop reason rtt</c>;
    /// empty is <c>cid</c>.</summary>
    public string Sort { get; init; } = "";

    /// <summary>Whether to show users and accounts.</summary>
    public bool Auth { get; init; }

    /// <summary>Whether to show the subjects of the subscriptions.</summary>
    public bool Subscriptions { get; init; }

    /// <summary>Whether to show the subscriptions in detail.</summary>
    public bool SubscriptionDetails { get; init; }

    /// <summary>Connections to leave out at the beginning.</summary>
    public int Offset { get; init; }

    /// <summary>Most connections to show; zero or less is <see cref="DefaultLimit"/>.</summary>
    public int Limit { get; init; }

    /// <summary>The only connection to show; zero for all.</summary>
    public ulong ConnectionId { get; init; }

    /// <summary>Which connections to show.</summary>
    public ConnectionFilter State { get; init; }

    /// <summary>Only connections of this user; empty for all.</summary>
    public string User { get; init; } = "";

    /// <summary>Only connections of this account; empty for all.</summary>
    public string Account { get; init; } = "";
}
