using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>An operator: the authority whose accounts a server trusts.</summary>
/// <remarks>The operator's own key signs it. Source: nats-io/jwt, operator claims.</remarks>
public sealed record OperatorClaims : JwtClaims
{
    /// <inheritdoc/>
    public override ClaimsType Type => ClaimsType.Operator;

    /// <summary>Further keys that sign accounts in the operator's name, so that its own key can be stored elsewhere.</summary>
    public IReadOnlyList<string> SigningKeys { get; init; } = [];

    /// <summary>The URL of the server of account tokens, for tools; null for none.</summary>
    public string? AccountServerUrl { get; init; }

    /// <summary>Addresses of the operator's NATS servers, for tools: <c>nats://</c>, <c>tls://</c>, <c>ws://</c>, <c>wss://</c>.</summary>
    public IReadOnlyList<string> ServiceUrls { get; init; } = [];

    /// <summary>The public key of the system account; null for none.</summary>
    public string? SystemAccount { get; init; }

    /// <summary>The lowest version of nats-server, such as <c>2.10.0</c>; null for any.</summary>
    public string? MinServerVersion { get; init; }

    /// <summary>Whether only signing keys may sign accounts and their users, never the own keys of operator and accounts. Default false.</summary>
    public bool RequireSigningKeys { get; init; }

    /// <inheritdoc/>
    internal override NkeyKind SubjectKind => NkeyKind.Operator;

    /// <inheritdoc/>
    internal override ReadOnlySpan<NkeyKind> IssuerKinds => [NkeyKind.Operator];

    /// <summary>Whether a key signs accounts for this operator.</summary>
    /// <param name="issuer">The public key of a token's issuer, or null.</param>
    public bool Trusts(string? issuer)
        => issuer is not null && (SigningKeys.Contains(issuer, StringComparer.Ordinal) || (!RequireSigningKeys && string.Equals(issuer, Subject, StringComparison.Ordinal)));

    internal static OperatorClaims ReadDetails(string subject, ClaimsReader details) => new()
    {
        Subject = subject,
        SigningKeys = details.Texts("signing_keys"),
        AccountServerUrl = details.Text("account_server_url"),
        ServiceUrls = details.Texts("operator_service_urls"),
        SystemAccount = details.Text("system_account"),
        MinServerVersion = details.Text("assert_server_version"),
        RequireSigningKeys = details.Flag("strict_signing_key_usage"),
    };

    /// <inheritdoc/>
    internal override void WriteDetails(Utf8JsonWriter writer)
    {
        writer.Texts("signing_keys", SigningKeys);
        writer.Text("account_server_url", AccountServerUrl);
        writer.Texts("operator_service_urls", ServiceUrls);
        writer.Text("system_account", SystemAccount);
        writer.Text("assert_server_version", MinServerVersion);
        writer.Flag("strict_signing_key_usage", RequireSigningKeys);
    }

    private protected override void AddProblems(List<string> problems)
    {
        foreach (var key in SigningKeys)
            if (!PublicNkey.IsValid(key, NkeyKind.Operator)) problems.Add($"The signing key '{key}' is not an operator key.");
        if (SystemAccount is { Length: > 0 } account && !PublicNkey.IsValid(account, NkeyKind.Account)) problems.Add($"The system account '{account}' is not an account key.");
        if (AccountServerUrl is { Length: > 0 } server && !Uri.TryCreate(server, UriKind.Absolute, out _)) problems.Add($"The account server '{server}' is not a URL.");
        foreach (var address in ServiceUrls)
            if (!Uri.TryCreate(address, UriKind.Absolute, out var url) || url.Scheme is not ("nats" or "tls" or "ws" or "wss") || url.UserInfo.Length > 0)
                problems.Add($"The service address '{address}' must be a URL with nats, tls, ws or wss and without a user.");
        if (MinServerVersion is { Length: > 0 } version && !IsVersion(version)) problems.Add($"The server version '{version}' must have the form 2.10.0.");
    }

    private static bool IsVersion(string text)
        => text.Split('.') is { Length: 3 } parts && Array.TrueForAll(parts, static part => part.Length is > 0 and < 10 && !part.AsSpan().ContainsAnyExceptInRange('0', '9'));
}
