using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.UnitTests.Architecture;

/// <summary>A file or folder that a page of the documentation names, and the names that the page says are in it.</summary>
/// <param name="Page">The page, from the root.</param>
/// <param name="Line">The line of the page, from 1.</param>
/// <param name="Path">The file or folder, from the root.</param>
/// <param name="Names">Types and members: the code that stands directly behind the link.</param>
/// <remarks>A link <c>[`Router.cs`](../src/…/Router.cs) `Publish`, `CacheOf`</c> names a file and what is in it; a path in a code span,
/// such as <c>`docs/limits.md`</c>, names a file or folder alone.</remarks>
internal sealed partial record CodeReference(string Page, int Line, string Path, IReadOnlyList<string> Names)
{
    /// <summary>The references of a page.</summary>
    /// <param name="page">Its path from the root.</param>
    /// <param name="text">Its text.</param>
    public static IEnumerable<CodeReference> In(string page, string text)
    {
        var lines = text.Split('\n');
        for (var i = 0; i < lines.Length; i++)
        {
            foreach (Match link in Link().Matches(lines[i]))
            {
                if (!link.Groups["target"].Value.Contains("://", StringComparison.Ordinal))
                    yield return new CodeReference(page, i + 1, Resolve(page, link.Groups["target"].Value), [.. link.Groups["name"].Captures.Select(static name => name.Value)]);
            }

            foreach (Match path in PathInCode().Matches(lines[i]))
                yield return new CodeReference(page, i + 1, path.Groups["path"].Value.TrimEnd('/'), []);
        }
    }

    /// <summary>What is wrong with it: the file is not there, or a name is not in its code.</summary>
    public IEnumerable<string> Problems()
    {
        var full = System.IO.Path.Combine(Repository.Root, Path);
        if (!File.Exists(full) && !Directory.Exists(full))
        {
            yield return $"{Page}:{Line} names {Path}, which does not exist";
            yield break;
        }

        if (Names.Count == 0)
            yield break;
        var words = Words(Repository.Read(Path), Path);
        foreach (var name in Names.Where(name => !Identifier().Matches(name).All(word => words.Contains(word.Value))))
            yield return $"{Page}:{Line} names {name}, which is not in {Path}";
    }

    // Words of the code alone: a comment may still name what was renamed.
    private static HashSet<string> Words(string text, string path)
    {
        var code = path.EndsWith(".cs", StringComparison.Ordinal)
            ? string.Join('\n', CSharpSyntaxTree.ParseText(text, CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.Preview)).GetRoot().DescendantTokens().Select(static token => token.Text))
            : text;
        return [.. Identifier().Matches(code).Select(static word => word.Value)];
    }

    private static string Resolve(string page, string target)
        => Repository.FromRoot(System.IO.Path.GetFullPath(System.IO.Path.Combine(Repository.Root, System.IO.Path.GetDirectoryName(page)!, target)));

    [GeneratedRegex(@"\[[^\]]*\]\((?<target>[^)#\s]+)(?:#[^)]*)?\)(?:(?:, and |, | and | )`(?<name>[^`]+)`)*")]
    private static partial Regex Link();

    [GeneratedRegex(@"`(?<path>(?:src|adapters|apps|tests|samples|bench|docs|dev\.d|api)/[^`\s*<]*)`")]
    private static partial Regex PathInCode();

    [GeneratedRegex(@"[\p{L}_][\p{L}\p{N}_]*")]
    private static partial Regex Identifier();
}
