using System.Text.Json.Nodes;
using Postrider.Broker.Trust;
using Postrider.Credentials;

namespace Postrider.Broker.Monitoring;

/// <summary>Describes an account that has a token, with nats-server's member names.</summary>
/// <remarks>Source: nats-server, <c>/accountz</c>.</remarks>
internal static class TrustedAccountJson
{
    /// <summary>Adds the members that describe an account's token.</summary>
    /// <param name="detail">The account.</param>
    /// <param name="account">The account with its token.</param>
    /// <param name="now">The time.</param>
    public static void Add(JsonObject detail, TrustedAccount account, DateTimeOffset now)
    {
        var (claims, token) = account.Version;
        if (token.Length > 0) detail["jwt"] = token;
        detail["issuer_key"] = claims.Issuer;
        if (claims.Tags.Count > 0) detail["tags"] = new JsonArray([.. claims.Tags.Select(static tag => JsonValue.Create(tag))]);
        if (token.Length > 0) detail["decoded_jwt"] = AccountTokenJson.Describe(token);
        if (Issues(claims, now).ToArray() is { Length: > 0 } issues) detail["validation_result_jwt"] = new JsonArray(issues);
        if (Revocations(claims.Revocations) is { } revoked) detail["revoked_user"] = revoked;
    }

    /// <summary>The activations that an export no longer accepts; null for none.</summary>
    /// <param name="claims">The claims of the exporting account.</param>
    /// <param name="export">The export.</param>
    public static JsonObject? RevokedActivations(AccountClaims claims, ExportOptions export)
        => claims.Exports.FirstOrDefault(one => one.Subject == export.Subject && one.Kind == (export.Type == ExportType.Service ? ExportKind.Service : ExportKind.Stream)) is { } found
            ? Revocations(found.Revocations)
            : null;

    // Other problems make a token invalid, and an account with an invalid token is rejected.
    private static IEnumerable<JsonNode?> Issues(AccountClaims claims, DateTimeOffset now)
    {
        if (claims.Expires?.ToUnixTimeSeconds() < now.ToUnixTimeSeconds()) yield return Issue("claim is expired", isTime: true);
        if (claims.NotBefore?.ToUnixTimeSeconds() > now.ToUnixTimeSeconds()) yield return Issue("claim is not yet valid", isTime: true);
        foreach (var _ in claims.Imports.Where(static import => !string.IsNullOrEmpty(import.To)))
            yield return Issue("the field to has been deprecated (use LocalSubject instead)", isTime: false);
    }

    private static JsonObject Issue(string description, bool isTime) => new() { ["description"] = description, ["blocking"] = false, ["time_check"] = isTime };

    private static JsonObject? Revocations(IReadOnlyDictionary<string, DateTimeOffset> revocations)
        => revocations.Count == 0 ? null : new JsonObject(revocations.Select(static one => KeyValuePair.Create(one.Key, (JsonNode?)one.Value.UtcDateTime)));
}
