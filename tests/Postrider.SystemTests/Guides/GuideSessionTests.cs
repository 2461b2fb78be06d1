namespace Postrider.SystemTests.Guides;

/// <summary>The guides that show terminals: every command is run, from the top of the page to its end, in a folder that is empty at first.</summary>
public sealed class GuideSessionTests
{
    // Run by other tests.
    private static readonly string[] s_coveredElsewhere = [CommandLineGuideTests.Guide, RpcGuideTests.Guide];

    public static TheoryData<string> Pages => [.. Guides().Where(static page => !s_coveredElsewhere.Contains(page) && Blocks(page).Exists(static block => block.Language is "console" or "conf"))];

    [Theory]
    [MemberData(nameof(Pages))]
    public async Task Commands_print_what_the_page_says(string page)
    {
        var blocks = Blocks(page);
        using var folder = new GuideFolder(blocks);
        await using var session = new TerminalSession(blocks, folder);

        var differences = await session.RunAsync();

        await GuideDifference.NoneAsync(differences, Checkout.PathOf(page));
    }

    [Fact]
    public void Every_command_that_a_guide_shows_with_its_output_is_run()
    {
        var others = Guides().SelectMany(static page => Blocks(page)
            .Where(static block => block.Language != "console" && block.Lines.Any(static line => line.StartsWith("$ ", StringComparison.Ordinal)))
            .Select(block => $"{page}:{block.FirstLine}"));

        Assert.Equal([], others);
    }

    private static IEnumerable<string> Guides()
        => Directory.GetFiles(Checkout.PathOf("docs", "guide"), "*.md").Select(static file => Path.GetRelativePath(Checkout.Root, file)).Order(StringComparer.Ordinal);

    private static List<GuideBlock> Blocks(string page) => GuideBlock.Read(File.ReadAllText(Checkout.PathOf(page)));
}
