namespace Postrider.Broker.Monitoring;

/// <summary>The query of <c>/subsz</c>.</summary>
public sealed record SubszQuery
{
    /// <summary>Whether to list the subscriptions.</summary>
    public bool Subscriptions { get; init; }

    /// <summary>Number of subscriptions to skip.</summary>
    public int Offset { get; init; }

    /// <summary>Maximum number of subscriptions to show; zero or less is 1024.</summary>
    public int Limit { get; init; }

    /// <summary>Only subscriptions of this account; empty for all.</summary>
    public string Account { get; init; } = "";

    /// <summary>Only subscriptions that receive messages on this subject; empty for all.</summary>
    public string Test { get; init; } = "";
}
