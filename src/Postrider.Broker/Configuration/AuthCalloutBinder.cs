using Postrider.Credentials;

namespace Postrider.Broker.Configuration;

/// <summary>Reads <c>auth_callout</c>. The texts are nats-server's.</summary>
internal sealed class AuthCalloutBinder(ConfigReader reader)
{
    /// <summary>Reads the block.</summary>
    /// <returns>Null when it has an error.</returns>
    internal AuthCalloutOptions? Read(ConfigValue block)
    {
        if (block.Content is not ConfigMap map)
        {
            reader.Findings.Error(block.Position, $"Expected authorization callout to be a map/struct, got {block.KindName}");
            return null;
        }
        var callout = new AuthCalloutOptions { Issuer = "" };
        foreach (var (key, value) in map)
        {
            switch (key.ToLowerInvariant())
            {
                case "issuer":
                    ReadKey(key, value, NkeyKind.Account, "Expected callout user to be a valid public account nkey", text => callout.Issuer = text);
                    break;
                case "account" or "acc":
                    reader.Text(key, value, text => callout.Account = text.Length == 0 ? AccountOptions.GlobalName : text);
                    break;
                case "auth_users" or "users":
                    callout.AuthUsers = ReadNames(value, "auth_users");
                    break;
                case "xkey" or "key":
                    ReadKey(key, value, NkeyKind.Curve, "Expected callout xkey to be a valid public xkey", text => callout.CurveKey = text);
                    break;
                case "allowed_accounts":
                    callout.AllowedAccounts = ReadNames(value, "allowed accounts");
                    break;
                default:
                    if (!value.IsReferenced) reader.Findings.Error(value.Position, $"Unknown field {GoQuote.Quote(key)} parsing authorization callout");
                    break;
            }
        }
        if (callout.Issuer.Length == 0) reader.Findings.Error(block.Position, "Authorization callouts require an issuer to be specified");
        else if (callout.AuthUsers.Count == 0) reader.Findings.Error(block.Position, "Authorization callouts require authorized users to be specified");
        return callout;
    }

    private void ReadKey(string key, ConfigValue value, NkeyKind kind, string expected, Action<string> set) => reader.Text(key, value, text =>
    {
        if (!PublicNkey.IsValid(text, kind)) reader.Findings.Error(value.Position, $"{expected}, got {GoQuote.Quote(text)}");
        // An invalid value is set all the same, so that it is not reported as missing too.
        set(text);
    });

    private IReadOnlyList<string> ReadNames(ConfigValue value, string field)
    {
        if (value.Content is List<ConfigValue>) return reader.Texts(field, value) ?? [];
        reader.Findings.Error(value.Position, $"Expected {field} field to be an array, got {value.KindName}");
        return [];
    }
}
