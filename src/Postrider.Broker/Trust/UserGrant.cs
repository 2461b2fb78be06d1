using Postrider.Credentials;

namespace Postrider.Broker.Trust;

/// <summary>The rights that a user's token grants.</summary>
/// <param name="User">The user's claims.</param>
/// <param name="Account">The account's claims.</param>
internal sealed record UserGrant(UserClaims User, AccountClaims Account)
{
    /// <summary>The permissions of the user: its own, the role's, or the account's defaults; null when nothing is restricted.</summary>
    public PermissionOptions? Permissions { get; init; }

    /// <summary>Whether <see cref="Permissions"/> are the account's defaults, or would be.</summary>
    public bool TakesDefaults { get; init; }

    /// <summary>Whether the token was sufficient without a signature.</summary>
    public bool IsBearer { get; init; }

    /// <summary>Whether the account's authorization callout has to authenticate the client; the token alone is not sufficient.</summary>
    public bool IsDelegated { get; init; }

    /// <summary>Maximum number of subscriptions; null for no limit.</summary>
    public long? MaxSubscriptions { get; init; }

    /// <summary>Maximum size of a message in bytes; null for the account's and the server's limits. Below 0, not even empty messages are allowed.</summary>
    public long? MaxPayloadBytes { get; init; }

    /// <summary>When the connection has to end, by the token or the time of day; null for never.</summary>
    public DateTimeOffset? EndsAt { get; init; }
}
