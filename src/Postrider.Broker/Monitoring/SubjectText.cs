namespace Postrider.Broker.Monitoring;

/// <summary>Compares subjects as text, for the few that monitoring compares. The broker's subject tree is not touched.</summary>
internal static class SubjectText
{
    /// <summary>Whether a message may be published to the subject: non-empty tokens, no wildcard.</summary>
    internal static bool IsLiteral(string subject) =>
        subject.Length > 0 && !subject.AsSpan().ContainsAny(" \t\r\n") && subject.Split('.').All(token => token is not ("" or "*" or ">"));

    /// <summary>Whether <paramref name="pattern"/> covers a literal subject.</summary>
    internal static bool Matches(string pattern, string literal)
    {
        var (expected, given) = (pattern.Split('.'), literal.Split('.'));
        for (var i = 0; i < expected.Length; i++)
        {
            if (expected[i] is ">")
                return given.Length > i;
            if (i >= given.Length || (expected[i] is not "*" && !string.Equals(expected[i], given[i], StringComparison.Ordinal)))
                return false;
        }
        return expected.Length == given.Length;
    }
}
