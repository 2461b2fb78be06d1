using Postrider.InteropTests.Harness;
using Postrider.Site;

namespace Postrider.InteropTests.Site;

/// <summary>The documentation's site in Debian's chromium.</summary>
public sealed class SiteSearchTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-site-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [InlineData("index.html")]
    [InlineData("docs/guide/broker.html")]
    public async Task Search_finds_places_by_their_words_from_every_page(string page)
    {
        DocumentationSite.Read(Checkout.Root).WriteTo(_folder.FullName);

        var story = await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "site-search.mjs"), new Uri(Path.Combine(_folder.FullName, page)).AbsoluteUri);

        Assert.Equal(
            """
            before: false
            slash leads to: search
            found: true | all have a word: true
            first in a heading: true
            after Escape: false
            Nothing was found.
            images made: 0
            the link leads to a page: true
            faults: none
            """.ReplaceLineEndings("\n"),
            story);
    }
}
