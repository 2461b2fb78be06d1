namespace Postrider.Broker.Monitoring;

/// <summary>One subscription as monitoring shows it.</summary>
public sealed record SubscriptionState
{
    /// <summary>Account of the subscription.</summary>
    public string Account { get; init; } = "$G";

    /// <summary>The account's name in its token; null for its own.</summary>
    internal string? AccountTag { get; init; }

    /// <summary>Subject, wildcards included.</summary>
    public required string Subject { get; init; }

    /// <summary>Queue group; null without one.</summary>
    public string? Queue { get; init; }

    /// <summary>The client's id of the subscription.</summary>
    public required string Sid { get; init; }

    /// <summary>Messages delivered.</summary>
    public long Messages { get; init; }

    /// <summary>Messages after which the subscription ends; zero for no end.</summary>
    public long Max { get; init; }

    /// <summary>The broker's id of the connection.</summary>
    public required ulong ConnectionId { get; init; }
}
