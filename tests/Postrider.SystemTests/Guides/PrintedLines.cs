using System.Text;
using System.Text.RegularExpressions;

namespace Postrider.SystemTests.Guides;

/// <summary>Compares what a program printed with what a page shows.</summary>
/// <remarks><c>…</c> in the page stands for any text of a line, and for any lines where it stands alone.
/// Times, addresses, ids, keys and hashes may differ.</remarks>
internal static partial class PrintedLines
{
    private const string Any = "…";

    /// <summary>Whether the lines are those of a page.</summary>
    internal static bool Match(IReadOnlyList<string> expected, IReadOnlyList<string> actual)
        => Regex.IsMatch(Text(actual), Pattern(expected) + "$", RegexOptions.None, GuideFolder.Patience);

    /// <summary>How many of the lines are those of a page.</summary>
    /// <returns>Null if they do not begin with all of the page's lines.</returns>
    internal static int? MatchBeginning(IReadOnlyList<string> expected, IReadOnlyList<string> actual)
        => Regex.Match(Text(actual), Pattern(expected), RegexOptions.None, GuideFolder.Patience) is { Success: true } match ? match.Value.Count('\n') : null;

    /// <summary>Pairs the ids, keys and hashes of a page with those that were printed in their places.</summary>
    /// <returns>Nothing if the two have different numbers of them, because the page leaves some out.</returns>
    internal static IEnumerable<(string Shown, string Printed)> Ids(IReadOnlyList<string> expected, IReadOnlyList<string> actual)
    {
        var (shown, printed) = (Secret().Matches(string.Join('\n', expected)), Secret().Matches(string.Join('\n', actual)));
        return shown.Count == printed.Count ? shown.Zip(printed, static (one, other) => (one.Value, other.Value)) : [];
    }

    private static string Text(IReadOnlyList<string> lines) => string.Concat(lines.Select(static line => Normal(line) + "\n"));

    private static string Pattern(IReadOnlyList<string> lines)
    {
        var pattern = new StringBuilder("^");
        foreach (var line in lines)
            pattern.Append(line.Trim() == Any ? "(.*\n)*?" : Regex.Escape(Normal(line)).Replace(Any, "[^\n]*", StringComparison.Ordinal) + "\n");
        return pattern.ToString();
    }

    // What differs from run to run; the widths of columns follow from it.
    private static string Normal(string line)
    {
        line = LogPrefix().Replace(line, "LOG ");
        line = Moment().Replace(line, "TIME");
        line = Clock().Replace(line, "CLOCK");
        line = Measured().Replace(line, "SPAN");
        line = Address().Replace(line, "ADDRESS");
        line = ConnectionId().Replace(line, "CID");
        line = Secret().Replace(line, "ID");
        return Blanks().Replace(line, " ").TrimEnd();
    }

    [GeneratedRegex(@"^\[\d+\] \d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{6} ")]
    private static partial Regex LogPrefix();

    [GeneratedRegex(@"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")]
    private static partial Regex Moment();

    [GeneratedRegex(@"\b\d\d:\d\d:\d\d\b")]
    private static partial Regex Clock();

    [GeneratedRegex(@"\b\d+(\.\d+)? (µs|ms|s)\b")]
    private static partial Regex Measured();

    [GeneratedRegex(@"\b127\.0\.0\.1:\d+")]
    private static partial Regex Address();

    [GeneratedRegex(@"\b[cl]id:\d+\b")]
    private static partial Regex ConnectionId();

    // Generated names, nkeys, SHA-256 sums and bcrypt hashes.
    [GeneratedRegex(@"\b([A-Za-z0-9]{22}|[A-Z0-9]{56}|[0-9a-f]{64})\b|\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}")]
    private static partial Regex Secret();

    [GeneratedRegex(" {2,}")]
    private static partial Regex Blanks();
}
