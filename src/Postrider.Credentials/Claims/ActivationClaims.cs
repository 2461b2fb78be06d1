using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>The permission of one account to import a private export of another.</summary>
/// <remarks><see cref="JwtClaims.Subject"/> is the importing account; the exporting one signs. Source: nats-io/jwt, activation claims.</remarks>
public sealed record ActivationClaims : JwtClaims
{
    /// <inheritdoc/>
    public override ClaimsType Type => ClaimsType.Activation;

    /// <summary>The subject that may be imported.</summary>
    public required string ImportSubject { get; init; }

    /// <summary>Whether it is a stream or a service.</summary>
    public required ExportKind Kind { get; init; }

    /// <summary>The exporting account, if one of its signing keys signs; null if its own key does.</summary>
    public string? IssuerAccount { get; init; }

    /// <inheritdoc/>
    internal override NkeyKind SubjectKind => NkeyKind.Account;

    /// <inheritdoc/>
    internal override ReadOnlySpan<NkeyKind> IssuerKinds => [NkeyKind.Account, NkeyKind.Operator];

    internal static ActivationClaims ReadDetails(string subject, ClaimsReader details) => new()
    {
        Subject = subject,
        ImportSubject = details.Text("subject") ?? "",
        Kind = ExportKinds.Read(details, "kind"),
        IssuerAccount = details.Text("issuer_account"),
    };

    /// <inheritdoc/>
    internal override void WriteDetails(Utf8JsonWriter writer)
    {
        writer.Text("subject", ImportSubject);
        writer.Text("kind", ExportKinds.NameOf(Kind));
        writer.Text("issuer_account", IssuerAccount);
    }

    private protected override void AddProblems(List<string> problems)
    {
        SubjectRules.Check(ImportSubject, "The imported subject", problems);
        if (IssuerAccount is { Length: > 0 } account && !PublicNkey.IsValid(account, NkeyKind.Account)) problems.Add($"The issuer's account '{account}' is not an account key.");
    }
}
