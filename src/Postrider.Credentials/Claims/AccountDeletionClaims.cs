using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>An operator's request that a server deletes accounts: the payload of <c>$SYS.REQ.CLAIMS.DELETE</c>.</summary>
/// <remarks><see cref="JwtClaims.Subject"/> is the operator's key, or a signing key of it, and signs itself. Source: nats-server, which
/// reads it as generic claims.</remarks>
public sealed record AccountDeletionClaims : JwtClaims
{
    /// <inheritdoc/>
    public override ClaimsType Type => ClaimsType.AccountDeletion;

    /// <summary>The public keys of the accounts.</summary>
    public IReadOnlyList<string> Accounts { get; init; } = [];

    /// <inheritdoc/>
    internal override NkeyKind SubjectKind => NkeyKind.Operator;

    /// <inheritdoc/>
    internal override ReadOnlySpan<NkeyKind> IssuerKinds => [NkeyKind.Operator];

    internal static AccountDeletionClaims ReadDetails(string subject, ClaimsReader details) => new() { Subject = subject, Accounts = details.Texts("accounts") };

    /// <inheritdoc/>
    internal override void WriteDetails(Utf8JsonWriter writer) => writer.Texts("accounts", Accounts);

    private protected override void AddProblems(List<string> problems)
    {
        if (Accounts.Count == 0) problems.Add("The request names no accounts.");
        foreach (var account in Accounts)
            if (!PublicNkey.IsValid(account, NkeyKind.Account)) problems.Add($"The account '{account}' is not an account key.");
    }
}
