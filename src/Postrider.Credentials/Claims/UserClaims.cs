using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>A user of an account.</summary>
/// <remarks>The account's key or a signing key of it signs. Source: nats-io/jwt, user claims.</remarks>
public sealed record UserClaims : JwtClaims
{
    /// <inheritdoc/>
    public override ClaimsType Type => ClaimsType.User;

    /// <summary>The user's settings. Null leaves them to the scope of the signing key; a key with a scope signs no other users.</summary>
    public UserSettings? Settings { get; init; } = new();

    /// <summary>The user's account, if one of its signing keys signs; null if the account's own key does.</summary>
    public string? IssuerAccount { get; init; }

    /// <summary>The public key of the user's account: <see cref="IssuerAccount"/> or the issuer; null before it is encoded.</summary>
    public string? Account => string.IsNullOrEmpty(IssuerAccount) ? Issuer : IssuerAccount;

    /// <inheritdoc/>
    internal override NkeyKind SubjectKind => NkeyKind.User;

    /// <inheritdoc/>
    internal override ReadOnlySpan<NkeyKind> IssuerKinds => [NkeyKind.Account];

    internal static UserClaims ReadDetails(string subject, ClaimsReader details)
        => new() { Subject = subject, Settings = UserSettings.ReadOrNull(details), IssuerAccount = details.Text("issuer_account") };

    /// <inheritdoc/>
    internal override void WriteDetails(Utf8JsonWriter writer)
    {
        UserSettings.Write(writer, Settings);
        writer.Text("issuer_account", IssuerAccount);
    }

    private protected override void AddProblems(List<string> problems)
    {
        Settings?.AddProblems(problems);
        if (IssuerAccount is { Length: > 0 } account && !PublicNkey.IsValid(account, NkeyKind.Account)) problems.Add($"The issuer's account '{account}' is not an account key.");
    }
}
