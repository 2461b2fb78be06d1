using System.Globalization;
using System.Text;
using Postrider.Credentials;

namespace Postrider.Broker.Trust;

/// <summary>Writes the scope of a signing key as text for comparisons: records compare lists by reference.</summary>
internal static class ScopeText
{
    /// <summary>The text; equal only for equal scopes.</summary>
    public static string Of(UserScope scope)
    {
        var (text, settings) = (new StringBuilder(), scope.Template);
        Append(text, [scope.Role, scope.Description, settings.TimeZone ?? ""]);
        foreach (var access in (SubjectAccess[])[settings.Permissions.Publish, settings.Permissions.Subscribe])
        {
            Append(text, access.Allow);
            Append(text, access.Deny);
        }
        Append(text, settings.Sources);
        Append(text, settings.AllowedConnectionTypes);
        Append(text, [.. settings.Times.Select(static time => time.ToString())]);
        text.Append(CultureInfo.InvariantCulture, $"{settings.Permissions.Responses} {settings.MaxSubscriptions} {settings.MaxData} {settings.MaxPayload} {settings.IsBearer} {settings.RequiresProxy}");
        return text.ToString();
    }

    // With their lengths, so that no two different lists have the same text.
    private static void Append(StringBuilder text, IReadOnlyList<string> entries)
    {
        text.Append(CultureInfo.InvariantCulture, $"{entries.Count}:");
        foreach (var entry in entries) text.Append(CultureInfo.InvariantCulture, $"{entry.Length}:{entry}");
    }
}
