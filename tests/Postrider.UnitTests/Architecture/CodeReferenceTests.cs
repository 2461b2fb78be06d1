namespace Postrider.UnitTests.Architecture;

/// <summary>What the walkthroughs and the glossary say of the code: the files are there, and what they name is in them.</summary>
public sealed class CodeReferenceTests
{
    private const string Page = "docs/walkthroughs/page.md";
    private const string Link = "[`Findings.cs`](../../tests/Postrider.UnitTests/Architecture/Findings.cs)";

    private static readonly string[] Walkthroughs = [.. Repository.Files("docs/walkthroughs", ".md")];

    [Fact]
    public void Walkthroughs_and_glossary_name_what_is_there()
    {
        var references = Walkthroughs.Append("docs/glossary.md").SelectMany(static page => CodeReference.In(page, Repository.Read(page))).ToList();

        Assert.NotEmpty(references);
        Findings.None(references.SelectMany(static reference => reference.Problems()));
    }

    [Fact]
    public void Each_step_names_a_member_its_thread_its_buffer_and_what_it_allocates()
    {
        var steps = Walkthroughs.SelectMany(static page => WalkthroughStep.In(page, Repository.Read(page))).ToList();

        Assert.NotEmpty(steps);
        Findings.None(steps.SelectMany(static step => step.Problems()));
    }

    [Fact]
    public void Names_behind_a_link_are_those_of_the_file()
    {
        var reference = Assert.Single(CodeReference.In(Page, $"1. {Link} `Findings`, `IEnumerable` and `None(found)`: fails with `others`."));

        Assert.Equal("tests/Postrider.UnitTests/Architecture/Findings.cs", reference.Path);
        Assert.Equal(["Findings", "IEnumerable", "None(found)"], reference.Names);
        Assert.Empty(reference.Problems());
    }

    [Fact]
    public void Wrong_path_is_found()
        => Assert.Equal([$"{Page}:2 names tests/Finding.cs, which does not exist"], Problems("# A page\n[`Finding.cs`](../../tests/Finding.cs) `None`"));

    [Fact]
    public void Wrong_path_in_a_code_span_is_found()
        => Assert.Equal([$"{Page}:1 names docs/no-such-page.md, which does not exist"], Problems("See `docs/no-such-page.md`."));

    [Fact]
    public void Wrong_name_is_found()
        => Assert.Equal([$"{Page}:1 names Some, which is not in tests/Postrider.UnitTests/Architecture/Findings.cs"], Problems($"{Link} `None`, `Some`"));

    // A comment may still say what was renamed: unfindable.
    [Fact]
    public void Name_that_stands_in_a_comment_alone_is_found()
    {
        const string File = "tests/Postrider.UnitTests/Architecture/CodeReferenceTests.cs";

        Assert.Equal([$"{Page}:1 names un" + $"findable, which is not in {File}"], Problems($"[`CodeReferenceTests.cs`](../../{File}) `un" + "findable`"));
    }

    [Fact]
    public void Page_on_the_web_is_not_looked_for()
        => Assert.Empty(Problems("[NATS](https://docs.nats.io) `PUB`"));

    [Fact]
    public void Step_without_a_member_or_a_part_is_found()
    {
        const string Text = $"""
            1. {Link} `None` fails with every finding.
               Thread: the test's. Buffer: none. Allocates: the text.
            2. The test is over.
               Thread: the test's. Buffer: none.

            Text that is no step.
            """;

        Assert.Equal(
            [$"{Page}:3 names no file with a member of it", $"{Page}:3 does not say 'Allocates:'"],
            WalkthroughStep.In(Page, Text).SelectMany(static step => step.Problems()));
    }

    private static IEnumerable<string> Problems(string text) => CodeReference.In(Page, text).SelectMany(static reference => reference.Problems());
}
