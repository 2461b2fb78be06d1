using System.Globalization;
using Postrider.CommandLine.Authority;
using Postrider.Credentials;

namespace Postrider.CommandLine.Verbs;

/// <summary>Tokens for people.</summary>
internal static class ClaimsText
{
    internal static string Describe(JwtClaims claims)
    {
        var text = new DetailsText()
            .Add(claims.Type.ToString(), claims.Name)
            .Add("Public key", claims.Subject)
            .Add("Issuer", claims.IsSelfSigned ? "itself" : claims.Issuer)
            .Add("Issued", Time(claims.IssuedAt))
            .Add("Not before", Time(claims.NotBefore))
            .Add("Expires", Expiry(claims))
            .Add("Tags", Words(claims.Tags));
        switch (claims)
        {
            case OperatorClaims details:
                AddTo(text, details);
                break;
            case AccountClaims details:
                AddTo(text, details);
                break;
            case UserClaims details:
                text.Add("Account", details.Account);
                if (details.Settings is { } settings) AddTo(text, settings);
                else text.Add("Permissions", "those of the role of its signing key");
                break;
            case ActivationClaims details:
                text.Add("Imports", $"{details.Kind} {details.ImportSubject}").Add("Exporting account", details.IssuerAccount ?? details.Issuer);
                break;
        }
        return text.ToString();
    }

    internal static string ListAccounts(AuthorityStore store)
    {
        var table = new TextTable("Account", " Users", "Expires", "Public key");
        foreach (var name in store.ListAccounts())
        {
            var claims = store.ReadAccount(name);
            table.Add(name, store.ListUsers(name).Count.ToString(CultureInfo.InvariantCulture), Expiry(claims), claims.Subject);
        }
        return table.IsEmpty ? "There are no accounts." : table.ToString();
    }

    internal static string ListUsers(AuthorityStore store, AccountClaims account)
    {
        var table = new TextTable("User", "Role", "Expires", "Public key");
        foreach (var name in store.ListUsers(account.Name!))
        {
            var claims = store.ReadUser(account.Name!, name);
            var revoked = account.IsRevoked(claims.Subject, claims.IssuedAt) ? "revoked" : Expiry(claims);
            table.Add(name, account.FindSigner(claims.Issuer)?.Scope?.Role ?? "", revoked, claims.Subject);
        }
        return table.ToString();
    }

    private static void AddTo(DetailsText text, OperatorClaims claims)
    {
        text.Add("System account", claims.SystemAccount)
            .Add("Account server", claims.AccountServerUrl)
            .Add("Servers", Words(claims.ServiceUrls))
            .Add("Signing keys", claims.RequireSigningKeys ? "required" : "optional");
        foreach (var key in claims.SigningKeys) text.Add("Signing key", key);
    }

    private static void AddTo(DetailsText text, AccountClaims claims)
    {
        var limits = claims.Limits;
        text.Add("Description", claims.Description)
            .Add("Connections", Limit(limits.MaxConnections))
            .Add("Leaf nodes", Limit(limits.MaxLeafNodes))
            .Add("Subscriptions", Limit(limits.MaxSubscriptions))
            .Add("Payload", Bytes(limits.MaxPayload))
            .Add("Imports", Limit(limits.MaxImports))
            .Add("Exports", Limit(limits.MaxExports))
            .Add("Bearer tokens", limits.DisallowBearer ? "rejected" : "allowed")
            .Add("JetStream", limits is { JetStream: null, JetStreamTiers.Count: 0 } ? "off" : null);
        if (limits.JetStream is { } streams) AddTo(text, "JetStream", streams);
        foreach (var (tier, tierLimits) in limits.JetStreamTiers) AddTo(text, $"JetStream {tier}", tierLimits);
        AddTo(text, claims.DefaultPermissions, "Default ");
        foreach (var import in claims.Imports) text.Add("Imports", $"{import.Kind} {import.Subject} of {import.Account}");
        foreach (var export in claims.Exports) text.Add("Exports", $"{export.Kind} {export.Subject}");
        foreach (var (user, time) in claims.Revocations) text.Add("Revoked", $"{user} until {Time(time)}");
        foreach (var key in claims.SigningKeys)
        {
            text.Add("Signing key", key.Scope is { } scope ? $"{key.Key}, role {scope.Role}" : key.Key);
            if (key.Scope is { } role) AddTo(text, role.Template);
        }
    }

    private static void AddTo(DetailsText text, string label, JetStreamClaimLimits limits) => text
        .Add($"{label} memory", Bytes(limits.MemoryBytes))
        .Add($"{label} disk", Bytes(limits.DiskBytes))
        .Add($"{label} streams", Limit(limits.MaxStreams))
        .Add($"{label} consumers", Limit(limits.MaxConsumers));

    private static void AddTo(DetailsText text, UserSettings settings)
    {
        AddTo(text, settings.Permissions, "");
        text.Add("Subscriptions", Limit(settings.MaxSubscriptions))
            .Add("Payload", Bytes(settings.MaxPayload))
            .Add("Networks", Words(settings.Sources))
            .Add("Connection types", Words(settings.AllowedConnectionTypes))
            .Add("Bearer token", settings.IsBearer ? "yes" : null);
    }

    private static void AddTo(DetailsText text, ClaimPermissions permissions, string prefix)
    {
        text.Add($"{prefix}Publish allowed", Words(permissions.Publish.Allow))
            .Add($"{prefix}Publish denied", Words(permissions.Publish.Deny))
            .Add($"{prefix}Subscribe allowed", Words(permissions.Subscribe.Allow))
            .Add($"{prefix}Subscribe denied", Words(permissions.Subscribe.Deny));
        if (permissions.Responses is { } responses) text.Add($"{prefix}Answers", responses.MaxMessages < 0 ? "unlimited" : Quantity.Text(responses.MaxMessages));
    }

    private static string Words(IReadOnlyList<string> words) => string.Join(", ", words);

    private static string Limit(long? limit) => limit is { } number ? Quantity.Text(number) : "unlimited";

    private static string Bytes(long? limit) => limit is { } number ? ByteSize.Text(number) : "unlimited";

    private static string? Time(DateTimeOffset? time) => time?.ToString("u", CultureInfo.InvariantCulture);

    private static string Expiry(JwtClaims claims)
    {
        if (claims.Expires is not { } expires) return "never";
        return expires < TimeProvider.System.GetUtcNow() ? $"expired {Time(expires)}" : Time(expires)!;
    }
}
