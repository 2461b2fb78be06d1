namespace Postrider.Broker.Accounts;

/// <summary>A user that may connect.</summary>
/// <param name="Name">The name; null where only a token or no credentials are required.</param>
/// <param name="Account">The account that the user's subjects belong to.</param>
/// <param name="Permissions">What the user may do; null for anything.</param>
internal sealed record User(string? Name, Account Account, UserPermissions? Permissions)
{
    /// <summary>Maximum number of the connection's subscriptions; -1 for no limit besides those of the account and the broker.</summary>
    public int MaxSubscriptions { get; init; } = -1;

    /// <summary>Maximum size of a message in bytes; -1 for no limit besides those of the account and the broker. Below that not even empty
    /// messages are allowed.</summary>
    public int MaxPayloadBytes { get; init; } = -1;

    /// <summary>Whether an authorization callout authenticated the user.</summary>
    public bool IsFromCallout { get; init; }

    /// <summary>When the connection has to end; null for never.</summary>
    public DateTimeOffset? EndsAt { get; init; }
}
