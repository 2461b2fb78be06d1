namespace Postrider.Broker.Monitoring;

/// <summary>The query of <c>/jsz</c>.</summary>
public sealed record JszQuery
{
    /// <summary>The only account to show in detail; empty or unknown for the accounts that the other members select.</summary>
    public string Account { get; init; } = "";

    /// <summary>Whether to show accounts.</summary>
    public bool Accounts { get; init; }

    /// <summary>Whether to show their streams, which shows the accounts too.</summary>
    public bool Streams { get; init; }

    /// <summary>Whether to show the streams' consumers, which shows the streams too.</summary>
    public bool Consumers { get; init; }

    /// <summary>Whether to also show direct consumers.</summary>
    public bool DirectConsumers { get; init; }

    /// <summary>Whether to show the configurations of streams and consumers.</summary>
    public bool Configurations { get; init; }

    /// <summary>Number of accounts to skip.</summary>
    public int Offset { get; init; }

    /// <summary>Whether to show how many streams and consumers this server leads: all of them.</summary>
    public bool Leaders { get; init; }

    /// <summary>Maximum number of accounts to show; 0 means 1024, negative numbers show all regardless of <see cref="Offset"/>.</summary>
    public int Limit { get; init; }

    /// <summary>Whether the query requests more than the totals.</summary>
    internal bool WantsDetails => Account.Length > 0 || WantsAccounts;

    /// <summary>Whether accounts are listed.</summary>
    internal bool WantsAccounts => Accounts || (WantsStreams && Account.Length == 0);

    /// <summary>Whether streams are shown.</summary>
    internal bool WantsStreams => Streams || Consumers;
}
