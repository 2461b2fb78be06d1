namespace Postrider.UnitTests.Architecture;

/// <summary>The block marked <c>layers</c> in <c>docs/architecture.md</c>: which project may reference which, and the
/// order of the folders inside each.</summary>
/// <remarks>A line without indent is <c>PATH -&gt; NAME, NAME</c> (what the project may reference) and the indented lines
/// after it are its folders, from the bottom to the top, separated by <c>&lt;</c>; <c>.</c> is the project's own folder.</remarks>
internal sealed class LayerList
{
    private readonly Dictionary<string, HashSet<string>> _references = [];
    private readonly Dictionary<string, List<string>> _folders = [];

    /// <summary>Project folders in the order of the list.</summary>
    public IEnumerable<string> Projects => _references.Keys;

    public static LayerList Parse(string markdown)
    {
        var list = new LayerList();
        string? project = null;
        foreach (var line in Block(markdown))
        {
            if (!char.IsWhiteSpace(line[0]))
            {
                var sides = line.Split("->", 2);
                project = sides[0].Trim();
                list._references[project] = [.. Words(sides.Length > 1 ? sides[1] : "", ',')];
                list._folders[project] = [];
            }
            else
            {
                list._folders[project ?? throw new FormatException($"No project before '{line}'.")].AddRange(Words(line, '<'));
            }
        }

        return list;
    }

    /// <summary>Names of the projects that a project may reference.</summary>
    public IReadOnlySet<string> References(string project) => Listed(_references, project);

    /// <summary>A project's folders, from the bottom to the top.</summary>
    public List<string> Folders(string project) => Listed(_folders, project);

    private static T Listed<T>(Dictionary<string, T> list, string project)
        => list.TryGetValue(project, out var found) ? found : throw new InvalidOperationException($"{project} is not in the list of docs/architecture.md.");

    private static IEnumerable<string> Block(string markdown)
        => markdown.Split('\n').SkipWhile(line => line.Trim() != "```layers").Skip(1).TakeWhile(line => line.Trim() != "```")
            .Select(line => line.TrimEnd()).Where(line => line.Length > 0);

    private static string[] Words(string text, char separator)
        => text.Split(separator, StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
}
