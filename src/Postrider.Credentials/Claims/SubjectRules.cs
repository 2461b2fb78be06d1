namespace Postrider.Credentials.Claims;

/// <summary>The rules for subjects in claims.</summary>
internal static class SubjectRules
{
    /// <summary>Adds a problem for a subject that no server accepts.</summary>
    /// <param name="subject">The subject.</param>
    /// <param name="what">Its description, as the beginning of a sentence.</param>
    /// <param name="problems">Receives the problem.</param>
    public static void Check(string subject, string what, List<string> problems)
    {
        if (subject.Length == 0) problems.Add($"{what} is empty.");
        else if (!IsValid(subject)) problems.Add($"{what} '{subject}' is not a valid subject: tokens separated by dots, without spaces, '>' only at the end.");
    }

    /// <summary>Adds a problem for an entry of permissions: a subject, for subscriptions with an optional queue group after a space.</summary>
    public static void CheckPermission(string entry, bool allowQueue, List<string> problems)
    {
        var parts = entry.Split(' ');
        if (parts.Length > (allowQueue ? 2 : 1) || !Array.TrueForAll(parts, IsValid)) problems.Add($"The permission '{entry}' is not a valid subject{(allowQueue ? " with an optional queue group" : "")}.");
    }

    public static bool HasWildcard(string subject) => Array.Exists(subject.Split('.'), static token => token is "*" or ">");

    private static bool IsValid(string subject)
    {
        if (subject.AsSpan().ContainsAny(" \t\r\n\f")) return false;
        var tokens = subject.Split('.');
        for (var i = 0; i < tokens.Length; i++)
            if (tokens[i].Length == 0 || (tokens[i] == ">" && i < tokens.Length - 1)) return false;
        return true;
    }
}
