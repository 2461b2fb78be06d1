namespace Postrider.Credentials;

/// <summary>The authorization callout of an account: a service that decides who may connect.</summary>
public sealed record ExternalAuthorization
{
    /// <summary>The public keys of the users that the service itself connects as; empty for no callout.</summary>
    public IReadOnlyList<string> Users { get; init; } = [];

    /// <summary>The accounts to which the service may assign users; <c>*</c> for all.</summary>
    public IReadOnlyList<string> AllowedAccounts { get; init; } = [];

    /// <summary>The service's public curve key, <c>X…</c>, to encrypt with; null for none.</summary>
    public string? CurveKey { get; init; }
}
