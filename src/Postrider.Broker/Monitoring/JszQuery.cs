namespace Postrider.Broker.Monitoring;

/// <summary>What to show on <c>/jsz</c>.</summary>
public sealed record JszQuery
{
    /// <summary>Only this account in detail; empty, or none of the broker's, for those that the rest asks for.</summary>
    public string Account { get; init; } = "";

    /// <summary>Whether to show accounts.</summary>
    public bool Accounts { get; init; }

    /// <summary>Whether to show their streams, which shows the accounts too.</summary>
    public bool Streams { get; init; }

    /// <summary>Whether to show the streams' consumers, which shows the streams too.</summary>
    public bool Consumers { get; init; }

    /// <summary>Whether to show consumers without acknowledgements that clients made for a while, beside the others.</summary>
    public bool DirectConsumers { get; init; }

    /// <summary>Whether to show what streams and consumers are asked to be.</summary>
    public bool Configurations { get; init; }

    /// <summary>Accounts to leave out at the beginning.</summary>
    public int Offset { get; init; }

    /// <summary>Whether to say how many streams and consumers this server leads: all of them.</summary>
    public bool Leaders { get; init; }

    /// <summary>Most accounts to show; 0 is 1024, less than that is all of them, whatever <see cref="Offset"/> is.</summary>
    public int Limit { get; init; }

    /// <summary>Whether anything is asked for beyond the sums.</summary>
    internal bool WantsDetails => Account.Length > 0 || WantsAccounts;

    /// <summary>Whether accounts are to be listed.</summary>
    internal bool WantsAccounts => Accounts || (WantsStreams && Account.Length == 0);

    /// <summary>Whether streams are to be shown.</summary>
    internal bool WantsStreams => Streams || Consumers;
}
