using System.Text.RegularExpressions;
using Postrider.Credentials;

namespace Postrider.Broker.Trust;

/// <summary>Expands the permissions of a role with a user's names and tags.</summary>
/// <remarks>
/// <c>{{name()}}</c>, <c>{{subject()}}</c>, <c>{{account-name()}}</c>, <c>{{account-subject()}}</c>, <c>{{tag(key)}}</c> and
/// <c>{{account-tag(key)}}</c>, which expands to each tag <c>key:value</c>. An allowed subject that becomes invalid is left out; a denied
/// subject that becomes invalid rejects the user. Source: nats-server, scoped signing keys.
/// </remarks>
internal static partial class PermissionTemplate
{
    /// <summary>Maximum number of subjects after the expansion of one list.</summary>
    public const int MaxSubjects = 4096;

    private const string Tag = "tag(";
    private const string AccountTag = "account-tag(";

    /// <summary>Expands the permissions of a role for one user.</summary>
    /// <exception cref="UserTokenException">A denied subject is invalid, an operation is unknown, or there are too many subjects.</exception>
    public static ClaimPermissions Expand(ClaimPermissions template, UserClaims user, AccountClaims account) => template with
    {
        Publish = Expand(template.Publish, user, account),
        Subscribe = Expand(template.Subscribe, user, account),
    };

    private static SubjectAccess Expand(SubjectAccess template, UserClaims user, AccountClaims account)
    {
        var allow = Expand(template.Allow, user, account, isDenied: false);
        var deny = Expand(template.Deny, user, account, isDenied: true);
        // No allowed subject is left: that must not allow everything.
        if (template.Allow.Count > 0 && allow.Count == 0) deny = [.. deny, ">"];
        return new SubjectAccess { Allow = allow, Deny = deny };
    }

    private static IReadOnlyList<string> Expand(IReadOnlyList<string> entries, UserClaims user, AccountClaims account, bool isDenied)
    {
        if (!entries.Any(static entry => Placeholder().IsMatch(entry))) return entries;
        var expanded = new List<string>();
        foreach (var entry in entries)
        {
            foreach (var subject in ExpandOne(entry, user, account, isDenied))
            {
                if (expanded.Count == MaxSubjects) throw new UserTokenException($"User JWT generated invalid permissions: template expansion exceeds limit: {MaxSubjects}");
                if (BrokerOptionsValidator.SubjectProblem(subject, allowQueue: true) is null) expanded.Add(subject);
                else if (isDenied) throw new UserTokenException($"User JWT generated invalid permissions: generated invalid subject {GoQuote.Quote(subject)}");
            }
        }
        return expanded;
    }

    // All combinations of the values, one placeholder after the other.
    private static IEnumerable<string> ExpandOne(string entry, UserClaims user, AccountClaims account, bool isDenied)
    {
        var found = Placeholder().Match(entry);
        if (!found.Success)
        {
            yield return entry;
            yield break;
        }
        var rest = entry[(found.Index + found.Length)..];
        foreach (var value in Values(entry, found.Groups["operation"].Value.Trim(), user, account, isDenied))
        {
            foreach (var tail in ExpandOne(rest, user, account, isDenied)) yield return $"{entry[..found.Index]}{value}{tail}";
        }
    }

    private static string[] Values(string entry, string operation, UserClaims user, AccountClaims account, bool isDenied)
    {
        if (Is(operation, "name()")) return [user.Name ?? ""];
        if (Is(operation, "subject()")) return [user.Subject];
        if (Is(operation, "account-name()")) return [account.Name ?? ""];
        if (Is(operation, "account-subject()")) return [account.Subject];
        IReadOnlyList<string> tags;
        string key;
        if (TryReadKey(operation, Tag, out key)) tags = user.Tags;
        else if (TryReadKey(operation, AccountTag, out key)) tags = account.Tags;
        else throw new UserTokenException($"User JWT generated invalid permissions: template operation in {GoQuote.Quote(entry)}: {GoQuote.Quote(operation)} is not defined");
        var prefix = key.ToLowerInvariant() + ":";
        string[] values = [.. tags.Where(tag => tag.StartsWith(prefix, StringComparison.Ordinal)).Select(tag => tag[prefix.Length..])];
        if (values.Length > 0) return values;
        if (isDenied) throw new UserTokenException($"User JWT generated invalid permissions: generated invalid subject {GoQuote.Quote(entry)}: {GoQuote.Quote(key)} is not defined");
        return [];
    }

    private static bool Is(string operation, string name) => operation.Equals(name, StringComparison.OrdinalIgnoreCase);

    private static bool TryReadKey(string operation, string prefix, out string key)
    {
        var isOne = operation.StartsWith(prefix, StringComparison.OrdinalIgnoreCase) && operation.EndsWith(')');
        key = isOne ? operation[prefix.Length..^1] : "";
        return isOne;
    }

    [GeneratedRegex(@"\{\{(?<operation>[^}]+)\}\}", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Placeholder();
}
