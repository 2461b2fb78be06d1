using Postrider.Credentials;

namespace Postrider.Broker.Trust;

/// <summary>The operators that the broker trusts, by their tokens or only by their keys.</summary>
/// <remarks>Immutable and thread-safe. Source: nats-server, <c>operator</c> and <c>trusted_keys</c>.</remarks>
/// <param name="operators">The operators.</param>
/// <param name="trustedKeys">Public keys that are trusted without a token.</param>
internal sealed class TrustedOperators(IReadOnlyList<OperatorClaims> operators, IReadOnlyList<string> trustedKeys)
{
    /// <summary>Whether an account's token was signed by a trusted operator.</summary>
    public bool Trusts(AccountClaims account)
        => trustedKeys.Contains(account.Issuer, StringComparer.Ordinal) || operators.Any(one => one.Trusts(account.Issuer));

    /// <summary>Whether an account's own key may not sign users, because its operator requires signing keys.</summary>
    public bool RequiresSigningKeys(AccountClaims account)
        => operators.Any(one => one.RequireSigningKeys && one.Trusts(account.Issuer));
}
