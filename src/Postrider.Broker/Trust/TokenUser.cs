using Postrider.Broker.Accounts;

namespace Postrider.Broker.Trust;

/// <summary>Who a connection with a token is.</summary>
/// <param name="Grant">What the token grants.</param>
/// <param name="Account">The user's account.</param>
internal sealed record TokenUser(UserGrant Grant, TrustedAccount Account)
{
    /// <summary>The user as the broker's sessions know it.</summary>
    public User ToUser() => new(Grant.User.Subject, Account.Account, UserPermissions.Create(Grant.Permissions))
    {
        MaxSubscriptions = ClaimAccountOptions.Limit(Grant.MaxSubscriptions),
        MaxPayloadBytes = ClaimAccountOptions.Limit(Grant.MaxPayloadBytes),
        EndsAt = Grant.EndsAt,
    };
}
