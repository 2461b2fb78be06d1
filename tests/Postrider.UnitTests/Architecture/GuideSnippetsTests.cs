using System.Text.RegularExpressions;

namespace Postrider.UnitTests.Architecture;

/// <summary>Guides whose C# is no program of its own: every piece compiles with the usings that the guide shows.</summary>
/// <remarks>What the guide leaves out, such as its reader's own types, is in a file of the guide's name in the folder <c>Guides</c>.</remarks>
public sealed partial class GuideSnippetsTests
{
    private const string Folder = "tests/Postrider.UnitTests/Guides";

    // Compiled and run by other tests.
    private static readonly string[] CoveredElsewhere =
    [
        .. ReadmeTests.Programs.Select(static row => row.Data),
        .. SampleSnippetsTests.Guides.Select(static row => row.Data.Item1),
        "docs/guide/dispatch.md", // GuideTests of the generator's tests
    ];

    public static TheoryData<string> Guides => [.. Repository.Files(Folder, ".csx").Select(static file => Path.GetFileNameWithoutExtension(file))];

    [Theory]
    [MemberData(nameof(Guides))]
    public void Every_piece_of_the_guide_compiles_without_a_warning(string guide)
    {
        var program = GuideProgram.FromSnippets(Repository.Read($"docs/guide/{guide}.md"), Repository.Read($"{Folder}/{guide}.csx"));

        var (problems, _) = program.Compile();

        Findings.None(problems);
    }

    [Fact]
    public void Every_guide_with_csharp_is_compiled()
    {
        var compiled = Guides.Select(static row => $"docs/guide/{row.Data}.md").Concat(CoveredElsewhere).ToHashSet(StringComparer.Ordinal);

        var guides = Repository.Files("docs/guide", ".md").Where(static file => Fence().IsMatch(Repository.Read(file)));

        Findings.None(guides.Where(guide => !compiled.Contains(guide)));
    }

    [GeneratedRegex("^ *```(csharp|cs|c#)", RegexOptions.Multiline | RegexOptions.IgnoreCase)]
    private static partial Regex Fence();
}
