using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>An account: a space of subjects with its users, limits, imports and exports.</summary>
/// <remarks>The operator's key or a signing key of it signs. Source: nats-io/jwt, account claims.</remarks>
public sealed record AccountClaims : JwtClaims
{
    private const string Everybody = "*";
    private const int MaxPercent = 100;

    /// <inheritdoc/>
    public override ClaimsType Type => ClaimsType.Account;

    /// <summary>The imports from other accounts.</summary>
    public IReadOnlyList<AccountImport> Imports { get; init; } = [];

    /// <summary>The exports to other accounts.</summary>
    public IReadOnlyList<AccountExport> Exports { get; init; } = [];

    /// <summary>The operator's limits. Default no limits, and no streams.</summary>
    public AccountLimits Limits { get; init; } = new();

    /// <summary>Further keys that sign users in the account's name.</summary>
    public IReadOnlyList<AccountSigningKey> SigningKeys { get; init; } = [];

    /// <summary>Users whose tokens are no longer valid: those issued up to a time. The key <c>*</c> stands for all users.</summary>
    public IReadOnlyDictionary<string, DateTimeOffset> Revocations { get; init; } = new Dictionary<string, DateTimeOffset>(StringComparer.Ordinal);

    /// <summary>The permissions of users whose claims contain none.</summary>
    public ClaimPermissions DefaultPermissions { get; init; } = new();

    /// <summary>Mappings: subjects whose messages are published to other subjects instead.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<WeightedMapping>> Mappings { get; init; } = new Dictionary<string, IReadOnlyList<WeightedMapping>>(StringComparer.Ordinal);

    /// <summary>The authorization callout; without users there is none.</summary>
    public ExternalAuthorization Authorization { get; init; } = new();

    /// <summary>The tracing of messages; null for none.</summary>
    public MessageTrace? Trace { get; init; }

    /// <summary>The account that carries its traffic between servers: <c>system</c> or <c>owner</c>; null for the server's default.</summary>
    public string? ClusterTraffic { get; init; }

    /// <summary>The description; null for none.</summary>
    public string? Description { get; init; }

    /// <summary>The URL of further information; null for none.</summary>
    public string? InfoUrl { get; init; }

    /// <inheritdoc/>
    internal override NkeyKind SubjectKind => NkeyKind.Account;

    /// <inheritdoc/>
    internal override ReadOnlySpan<NkeyKind> IssuerKinds => [NkeyKind.Account, NkeyKind.Operator];

    /// <summary>Finds the key that signed a user or an activation for this account.</summary>
    /// <param name="issuer">The public key of the token's issuer, or null.</param>
    /// <returns>The account's own key or a signing key; null for a key that does not sign for this account.</returns>
    public AccountSigningKey? FindSigner(string? issuer)
    {
        if (issuer is null) return null;
        return string.Equals(issuer, Subject, StringComparison.Ordinal) ? new AccountSigningKey(issuer) : SigningKeys.FirstOrDefault(key => string.Equals(key.Key, issuer, StringComparison.Ordinal));
    }

    /// <summary>Whether a token of a user is no longer valid.</summary>
    /// <param name="user">The user's public key.</param>
    /// <param name="issuedAt">When the token was issued; a token that does not say it is older than every revocation.</param>
    public bool IsRevoked(string user, DateTimeOffset? issuedAt)
    {
        var seconds = issuedAt?.ToUnixTimeSeconds() ?? 0;
        return (Revocations.TryGetValue(Everybody, out var all) && all.ToUnixTimeSeconds() >= seconds)
            || (Revocations.TryGetValue(user, out var own) && own.ToUnixTimeSeconds() >= seconds);
    }

    internal static AccountClaims ReadDetails(string subject, ClaimsReader details) => new()
    {
        Subject = subject,
        Imports = details.Objects("imports", AccountImport.Read),
        Exports = details.Objects("exports", AccountExport.Read),
        Limits = AccountLimits.Read(details.ObjectOrEmpty("limits")),
        SigningKeys = details.Any("signing_keys", AccountSigningKey.Read),
        Revocations = details.Times("revocations"),
        DefaultPermissions = ClaimPermissions.Read(details.ObjectOrEmpty("default_permissions")),
        Mappings = details.Map("mappings", static (members, name) => members.Objects(name, ReadMapping)),
        Authorization = ReadAuthorization(details.ObjectOrEmpty("authorization")),
        Trace = details.Object("trace") is { } trace ? new MessageTrace(trace.Text("dest") ?? "", (int)Math.Clamp(trace.Number("sampling"), int.MinValue, int.MaxValue)) : null,
        ClusterTraffic = details.Text("cluster_traffic"),
        Description = details.Text("description"),
        InfoUrl = details.Text("info_url"),
    };

    /// <inheritdoc/>
    internal override void WriteDetails(Utf8JsonWriter writer)
    {
        writer.Objects("imports", Imports.OrderBy(static import => import.Subject, StringComparer.Ordinal), AccountImport.Write);
        writer.Objects("exports", Exports.OrderBy(static export => export.Subject, StringComparer.Ordinal), AccountExport.Write);
        Limits.Write(writer);
        if (SigningKeys.Count > 0)
        {
            writer.WriteStartArray("signing_keys");
            foreach (var key in SigningKeys.OrderBy(static key => key.Key, StringComparer.Ordinal)) key.Write(writer);
            writer.WriteEndArray();
        }
        writer.Times("revocations", Revocations);
        writer.WriteStartObject("default_permissions");
        DefaultPermissions.Write(writer);
        writer.WriteEndObject();
        WriteMappings(writer);
        writer.WriteStartObject("authorization");
        writer.Texts("auth_users", Authorization.Users);
        writer.Texts("allowed_accounts", Authorization.AllowedAccounts);
        writer.Text("xkey", Authorization.CurveKey);
        writer.WriteEndObject();
        if (Trace is { } trace)
        {
            writer.WriteStartObject("trace");
            writer.Text("dest", trace.Destination);
            writer.Number("sampling", trace.Sampling);
            writer.WriteEndObject();
        }
        writer.Text("cluster_traffic", ClusterTraffic);
        writer.Text("description", Description);
        writer.Text("info_url", InfoUrl);
    }

    private protected override void AddProblems(List<string> problems)
    {
        foreach (var import in Imports) import.AddProblems(problems);
        foreach (var export in Exports) export.AddProblems(problems);
        if (Imports.Count > Limits.MaxImports) problems.Add($"The account has {Imports.Count} imports, the operator allows {Limits.MaxImports}.");
        if (Exports.Count > Limits.MaxExports) problems.Add($"The account has {Exports.Count} exports, the operator allows {Limits.MaxExports}.");
        // Servers read the rule only where the number of exports is limited.
        if (!Limits.AllowWildcardExports && Limits.MaxExports is not null && Exports.FirstOrDefault(static export => SubjectRules.HasWildcard(export.Subject)) is { } export2) problems.Add($"The export '{export2.Subject}' has a wildcard, which the operator does not allow.");
        if (Limits is { JetStream: not null, JetStreamTiers.Count: > 0 }) problems.Add("The account has limits of streams both with and without tiers.");
        foreach (var key in SigningKeys)
        {
            if (!PublicNkey.IsValid(key.Key, NkeyKind.Account)) problems.Add($"The signing key '{key.Key}' is not an account key.");
            key.Scope?.Template.AddProblems(problems);
        }
        DefaultPermissions.AddProblems(problems);
        AddMappingProblems(problems);
        AddAuthorizationProblems(problems);
        if (Trace is { } trace) SubjectRules.Check(trace.Destination, "The destination of traces", problems);
        if (ClusterTraffic is not (null or "" or "system" or "owner")) problems.Add($"The cluster traffic '{ClusterTraffic}' is neither 'system' nor 'owner'.");
    }

    private static WeightedMapping ReadMapping(ClaimsReader reader)
        => new(reader.Text("subject") ?? "", (int)Math.Clamp(reader.Number("weight"), 0, int.MaxValue), reader.Text("cluster"));

    private static ExternalAuthorization ReadAuthorization(ClaimsReader reader)
        => new() { Users = reader.Texts("auth_users"), AllowedAccounts = reader.Texts("allowed_accounts"), CurveKey = reader.Text("xkey") };

    private void WriteMappings(Utf8JsonWriter writer)
    {
        if (Mappings.Count == 0) return;
        writer.WriteStartObject("mappings");
        foreach (var (subject, destinations) in Mappings.OrderBy(static pair => pair.Key, StringComparer.Ordinal))
        {
            writer.WriteStartArray(subject);
            foreach (var destination in destinations)
            {
                writer.WriteStartObject();
                writer.WriteString("subject", destination.Subject);
                writer.Number("weight", destination.Weight);
                writer.Text("cluster", destination.Cluster);
                writer.WriteEndObject();
            }
            writer.WriteEndArray();
        }
        writer.WriteEndObject();
    }

    private void AddMappingProblems(List<string> problems)
    {
        foreach (var (subject, destinations) in Mappings)
        {
            SubjectRules.Check(subject, "The mapped subject", problems);
            foreach (var destination in destinations) SubjectRules.Check(destination.Subject, $"The destination of '{subject}'", problems);
            if (destinations.GroupBy(static destination => destination.Cluster ?? "", StringComparer.Ordinal).Any(static cluster => cluster.Sum(static destination => destination.Weight == 0 ? MaxPercent : destination.Weight) > MaxPercent))
                problems.Add($"The weights of the mapping '{subject}' add up to more than 100 percent.");
        }
    }

    private void AddAuthorizationProblems(List<string> problems)
    {
        foreach (var user in Authorization.Users)
            if (!PublicNkey.IsValid(user, NkeyKind.User)) problems.Add($"The authorization user '{user}' is not a user key.");
        foreach (var account in Authorization.AllowedAccounts)
            if (account != Everybody && !PublicNkey.IsValid(account, NkeyKind.Account)) problems.Add($"The authorized account '{account}' is not an account key.");
        if (Authorization.CurveKey is { Length: > 0 } key && !PublicNkey.IsValid(key, NkeyKind.Curve)) problems.Add($"The authorization's curve key '{key}' is not a curve key.");
        if (Authorization is { Users.Count: 0, AllowedAccounts.Count: > 0 }) problems.Add("The authorization has accounts but no users.");
    }
}
