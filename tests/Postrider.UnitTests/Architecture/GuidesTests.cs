namespace Postrider.UnitTests.Architecture;

public sealed class GuidesTests
{
    [Fact]
    public void README_links_every_guide()
    {
        var page = Repository.Read("README.md");

        var guides = Repository.Files("docs/guide", ".md").Select(static file => $"({file})");

        Findings.None(guides.Where(guide => !page.Contains(guide, StringComparison.Ordinal)));
    }

    [Fact]
    public void Architecture_links_the_glossary_and_every_walkthrough()
    {
        var page = Repository.Read("docs/architecture.md");

        var pages = Repository.Files("docs/walkthroughs", ".md").Append("docs/glossary.md").Select(static linked => $"({linked["docs/".Length..]})");

        Findings.None(pages.Where(linked => !page.Contains(linked, StringComparison.Ordinal)));
    }
}
