using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>The response of an authorization callout: the user that a client authenticates as, or why it is rejected.</summary>
/// <remarks><see cref="JwtClaims.Subject"/> is <see cref="AuthorizationRequestClaims.UserKey"/>, <see cref="JwtClaims.Audience"/> the id of the
/// server that asked. Source: nats-io/jwt, authorization response.</remarks>
public sealed record AuthorizationResponseClaims : JwtClaims
{
    /// <inheritdoc/>
    public override ClaimsType Type => ClaimsType.AuthorizationResponse;

    /// <summary>The token of the user; null if the client is rejected.</summary>
    public string? Jwt { get; init; }

    /// <summary>The reason of the rejection; null if the client is not rejected.</summary>
    public string? Error { get; init; }

    /// <summary>The account, if one of its signing keys signs; null if its own key does.</summary>
    public string? IssuerAccount { get; init; }

    /// <inheritdoc/>
    internal override NkeyKind SubjectKind => NkeyKind.User;

    /// <inheritdoc/>
    internal override ReadOnlySpan<NkeyKind> IssuerKinds => [NkeyKind.Account];

    internal static AuthorizationResponseClaims ReadDetails(string subject, ClaimsReader details)
        => new() { Subject = subject, Jwt = details.Text("jwt"), Error = details.Text("error"), IssuerAccount = details.Text("issuer_account") };

    /// <inheritdoc/>
    internal override void WriteDetails(Utf8JsonWriter writer)
    {
        writer.Text("jwt", Jwt);
        writer.Text("error", Error);
        writer.Text("issuer_account", IssuerAccount);
    }

    private protected override void AddProblems(List<string> problems)
    {
        if (!PublicNkey.IsValid(Audience, NkeyKind.Server)) problems.Add($"The audience '{Audience}' is not a server key.");
        if (string.IsNullOrEmpty(Jwt) && string.IsNullOrEmpty(Error)) problems.Add("The response has neither a user nor an error.");
        if (!string.IsNullOrEmpty(Jwt) && !string.IsNullOrEmpty(Error)) problems.Add("The response has both a user and an error.");
        if (IssuerAccount is { Length: > 0 } account && !PublicNkey.IsValid(account, NkeyKind.Account)) problems.Add($"The issuer's account '{account}' is not an account key.");
    }
}
