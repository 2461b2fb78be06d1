namespace Postrider.Broker;

/// <summary>A service, connected to the broker itself, that authenticates clients.</summary>
/// <remarks>The broker asks it on the subject <c>$SYS.REQ.USER.AUTH</c> of <see cref="Account"/> and waits for
/// <see cref="BrokerOptions.AuthTimeout"/>. Not thread-safe; must not be changed once a broker has it. In operator mode the tokens of accounts
/// contain these settings instead. Source: nats-server's <c>auth_callout</c>.</remarks>
public sealed record AuthCalloutOptions
{
    /// <summary>Public key of an account, <c>A…</c>: its key signs the tokens of the users that the service accepts.</summary>
    public required string Issuer { get; set; }

    /// <summary>Name of the account in which the service listens. Default <c>$G</c>.</summary>
    public string Account { get; set; } = AccountOptions.GlobalName;

    /// <summary>Names or public keys of the users that the service itself connects as; the callout is not called for them. At least one.</summary>
    public IReadOnlyList<string> AuthUsers { get; set; } = [];

    /// <summary>Public curve key of the service, <c>X…</c>, with which requests are encrypted; null sends them unencrypted.</summary>
    public string? CurveKey { get; set; }

    /// <summary>Names of the accounts for whose users the callout is called, besides the global account; empty for all.</summary>
    public IReadOnlyList<string> AllowedAccounts { get; set; } = [];

    /// <inheritdoc/>
    public bool Equals(AuthCalloutOptions? other) => other is not null
        && string.Equals(Issuer, other.Issuer, StringComparison.Ordinal)
        && string.Equals(Account, other.Account, StringComparison.Ordinal)
        && string.Equals(CurveKey, other.CurveKey, StringComparison.Ordinal)
        && AuthUsers.SequenceEqual(other.AuthUsers, StringComparer.Ordinal)
        && AllowedAccounts.SequenceEqual(other.AllowedAccounts, StringComparer.Ordinal);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Issuer, Account, CurveKey, AuthUsers.Count, AllowedAccounts.Count);
}
