using System.Text.Json;
using System.Text.RegularExpressions;

namespace Postrider.InteropTests.Operators;

/// <summary>What servers say of accounts as lines that can be compared: words for keys, and without times and counts.</summary>
internal static partial class AccountInfoText
{
    private static readonly string[] Passing = ["jti", "iat", "exp", "jwt", "update_time", "client_connections", "subscriptions", "sublist_stats"];

    /// <summary>The values of an account's page, a line for each, in order.</summary>
    /// <param name="info">The page.</param>
    /// <param name="server">Whose keys are in it.</param>
    public static IReadOnlyList<string> LinesOf(JsonElement info, ClaimsServer server)
    {
        var lines = new List<string>();
        Describe(info, "", server, lines);
        return lines;
    }

    /// <summary>The keys, names and tags of any page.</summary>
    /// <param name="page">The page.</param>
    /// <param name="server">Whose keys are in it.</param>
    public static IReadOnlyList<string> NamesOf(JsonElement page, ClaimsServer server)
        => [.. Values(page, "", server).Where(static line => Named().IsMatch(line)).Distinct().Order(StringComparer.Ordinal)];

    /// <summary>A text with a word for each key in it.</summary>
    public static string WithWords(string text, ClaimsServer server)
        => Words(server).Aggregate(text, static (text, word) => text.Replace(word.Key, word.Word, StringComparison.Ordinal));

    /// <summary>A text with a key for each word in quotes.</summary>
    public static string WithKeys(string text, ClaimsServer server)
        => Words(server).Aggregate(text, static (text, word) => text.Replace($"\"{word.Word}\"", $"\"{word.Key}\"", StringComparison.Ordinal));

    private static (string Key, string Word)[] Words(ClaimsServer server)
    {
        var keys = server.Keys;
        return
        [
            (keys.Account.PublicKey, "ACCOUNT"), (keys.OtherAccount.PublicKey, "OTHER"), (keys.Signer.PublicKey, "SIGNER"), (keys.Scoped.PublicKey, "SCOPED"),
            (keys.User.PublicKey, "USER"), (keys.OtherUser.PublicKey, "OTHER-USER"), (keys.Operator.PublicKey, "OPERATOR"), (keys.OperatorSigner.PublicKey, "OPERATOR-SIGNER"),
            (server.SystemAccount, "SYSTEM"),
        ];
    }

    // A token is another one at each start.
    private static IEnumerable<string> Values(JsonElement element, string path, ClaimsServer server) => element.ValueKind switch
    {
        JsonValueKind.Object => element.EnumerateObject().SelectMany(member => Values(member.Value, $"{path}/{member.Name}", server)),
        JsonValueKind.Array => element.EnumerateArray().SelectMany(item => Values(item, path, server)),
        _ => [Passing.Contains(path[(path.LastIndexOf('/') + 1)..]) ? $"{path} is there" : $"{path} {WithWords(element.ToString(), server)}"],
    };

    private static void Describe(JsonElement element, string path, ClaimsServer server, List<string> lines)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Object when !element.EnumerateObject().Any():
                lines.Add($"{path} empty");
                break;
            case JsonValueKind.Object:
                foreach (var (name, value) in element.EnumerateObject().Select(member => (Name: WithWords(member.Name, server), member.Value)).OrderBy(static member => member.Name, StringComparer.Ordinal))
                {
                    var inner = path.Length == 0 ? name : $"{path}/{name}";
                    if (Passing.Contains(name)) lines.Add($"{inner} is there");
                    else Describe(value, inner, server, lines);
                }
                break;
            // Lists are in any order: that of the keys, or of Go's maps.
            case JsonValueKind.Array:
                var items = element.EnumerateArray().Select(item =>
                {
                    var own = new List<string>();
                    Describe(item, "", server, own);
                    return string.Join(", ", own);
                });
                foreach (var item in items.Order(StringComparer.Ordinal)) lines.Add($"{path} [{item}]");
                break;
            default:
                lines.Add($"{path} {WithWords(element.ToString(), server)}");
                break;
        }
    }

    [GeneratedRegex("shop|ACCOUNT|SYSTEM|OPERATOR|USER|u:v|jwt")]
    private static partial Regex Named();
}
