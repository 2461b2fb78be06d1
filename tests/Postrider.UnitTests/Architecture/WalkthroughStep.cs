using System.Text.RegularExpressions;

namespace Postrider.UnitTests.Architecture;

/// <summary>A numbered step of a walkthrough, with the indented lines behind it.</summary>
/// <param name="Page">The page, from the root.</param>
/// <param name="Line">Its first line, from 1.</param>
/// <param name="Text">All its lines.</param>
internal sealed partial record WalkthroughStep(string Page, int Line, string Text)
{
    private static readonly string[] Parts = ["Thread:", "Buffer:", "Allocates:"];

    /// <summary>The steps of a page.</summary>
    public static IEnumerable<WalkthroughStep> In(string page, string text)
    {
        var lines = text.Split('\n');
        for (var i = 0; i < lines.Length; i++)
        {
            if (!Number().IsMatch(lines[i]))
                continue;
            var end = i + 1;
            while (end < lines.Length && lines[end].StartsWith("   ", StringComparison.Ordinal))
                end++;
            yield return new WalkthroughStep(page, i + 1, string.Join('\n', lines[i..end]));
        }
    }

    /// <summary>What is missing in it.</summary>
    public IEnumerable<string> Problems()
    {
        if (!CodeReference.In(Page, Text).Any(static reference => reference.Names.Count > 0))
            yield return $"{Page}:{Line} names no file with a member of it";
        foreach (var part in Parts.Where(part => !Text.Contains(part, StringComparison.Ordinal)))
            yield return $"{Page}:{Line} does not say '{part}'";
    }

    [GeneratedRegex(@"^\d+\. ")]
    private static partial Regex Number();
}
