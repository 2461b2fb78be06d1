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
}
