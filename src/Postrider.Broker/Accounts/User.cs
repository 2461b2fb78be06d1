namespace Postrider.Broker.Accounts;

/// <summary>Somebody who may connect.</summary>
/// <param name="Name">The name; null where only a token or nothing is asked for.</param>
/// <param name="Account">The account that the user's subjects belong to.</param>
/// <param name="Permissions">What the user may do; null for anything.</param>
internal sealed record User(string? Name, Account Account, UserPermissions? Permissions)
{
    /// <summary>Maximum number of the connection's subscriptions; -1 for no limit but those of the account and the broker.</summary>
    public int MaxSubscriptions { get; init; } = -1;

    /// <summary>Maximum size of a message in bytes; -1 for no limit but those of the account and the broker.</summary>
    public int MaxPayloadBytes { get; init; } = -1;

    /// <summary>Whether an authorization callout said who it is.</summary>
    public bool IsFromCallout { get; init; }

    /// <summary>When the connection has to end; null for never.</summary>
    public DateTimeOffset? EndsAt { get; init; }
}
