using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>A further key that signs users of an account.</summary>
/// <param name="Key">The public key, <c>A…</c>.</param>
/// <param name="Scope">The settings of its users; null if each user's claims contain them.</param>
public sealed record AccountSigningKey(string Key, UserScope? Scope = null)
{
    private const string Kind = "user_scope";

    internal static AccountSigningKey Read(JsonElement element, string path)
    {
        if (element.ValueKind == JsonValueKind.String) return new AccountSigningKey(element.GetString()!);
        if (element.ValueKind != JsonValueKind.Object) throw new CredentialsException(CredentialsErrorCode.InvalidToken, $"'{path}' in the token must be a key or a scope.");
        var reader = new ClaimsReader(element, path);
        if (reader.Text("kind") != Kind) throw reader.Wrong("kind", $"'{Kind}'");
        return new AccountSigningKey(reader.Text("key") ?? "", new UserScope
        {
            Role = reader.Text("role") ?? "",
            Description = reader.Text("description") ?? "",
            Template = UserSettings.ReadTemplate(reader.ObjectOrEmpty("template")),
        });
    }

    internal void Write(Utf8JsonWriter writer)
    {
        if (Scope is null)
        {
            writer.WriteStringValue(Key);
            return;
        }
        writer.WriteStartObject();
        writer.WriteString("kind", Kind);
        writer.WriteString("key", Key);
        writer.WriteString("role", Scope.Role);
        writer.WriteStartObject("template");
        UserSettings.Write(writer, Scope.Template);
        writer.WriteEndObject();
        writer.WriteString("description", Scope.Description);
        writer.WriteEndObject();
    }
}
