using Postrider.Broker.Accounts;

namespace Postrider.Broker.Trust;

/// <summary>The user of a connection with a token.</summary>
/// <param name="Grant">The rights that the token grants.</param>
/// <param name="Account">The user's account.</param>
internal sealed record TokenUser(UserGrant Grant, TrustedAccount Account)
{
    /// <summary>The account whose authorization callout authenticated the user; null for a user by its own token.</summary>
    public Account? Callout { get; init; }

    /// <summary>The name that the callout gave it; null for none.</summary>
    public string? CalloutName { get; init; }

    /// <summary>The user as the broker's sessions know it.</summary>
    public User ToUser() => new(Callout is null ? Grant.User.Subject : CalloutName, Account.Account, UserPermissions.Create(Grant.Permissions))
    {
        MaxSubscriptions = ClaimAccountOptions.Limit(Grant.MaxSubscriptions),
        MaxPayloadBytes = ClaimAccountOptions.PayloadLimit(Grant.MaxPayloadBytes),
        EndsAt = Grant.EndsAt,
        IsFromCallout = Callout is not null,
    };
}
