using System.Text.RegularExpressions;
using Postrider.Site;
using Postrider.UnitTests.Architecture;

namespace Postrider.UnitTests.Site;

/// <summary>The documentation as a static site.</summary>
public sealed partial class DocumentationSiteTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-site-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void No_link_of_the_documentation_is_broken()
    {
        var site = DocumentationSite.Read(Checkout.Root);

        Assert.True(site.Pages.Count > 40, $"Only {site.Pages.Count} pages were found.");
        Findings.None(site.Problems);
    }

    [Fact]
    public void Documentation_index_links_every_guide()
    {
        var index = Repository.Read("docs/README.md");

        Findings.None(Repository.Files("docs/guide", ".md").Where(guide => !index.Contains($"({guide["docs/".Length..]})", StringComparison.Ordinal)));
    }

    [Fact]
    public void Every_page_refers_to_files_of_the_site_alone()
    {
        var output = Path.Combine(_folder.FullName, "out");

        DocumentationSite.Read(Checkout.Root).WriteTo(output);

        var files = Directory.EnumerateFiles(output, "*", SearchOption.AllDirectories).ToHashSet(StringComparer.Ordinal);
        var pages = files.Where(static file => file.EndsWith(".html", StringComparison.Ordinal)).ToList();
        var references = pages.SelectMany(page => Reference().Matches(File.ReadAllText(page)).Select(match => (page, url: match.Groups["url"].Value, isLink: match.Groups["kind"].Value == "href"))).ToList();
        Assert.Contains(references, static reference => reference.url.EndsWith("search.js", StringComparison.Ordinal));
        // Links may lead to other hosts; what a page loads may not.
        Findings.None(references.Where(static reference => !reference.isLink && reference.url.Contains("//", StringComparison.Ordinal)).Select(static reference => $"{reference.page} loads {reference.url}"));
        Findings.None(references
            .Where(static reference => !reference.url.Contains(':', StringComparison.Ordinal) && reference.url is not ['#', ..])
            .Where(reference => !files.Contains(Path.GetFullPath(Path.Combine(Path.GetDirectoryName(reference.page)!, Uri.UnescapeDataString(reference.url.Split('#')[0])))))
            .Select(static reference => $"{reference.page}: {reference.url}"));
    }

    [Theory]
    [InlineData("[a](docs/b.md)", "README.md: the link 'docs/b.md' names a file that does not exist.")]
    [InlineData("[a](docs/a.md#nothing)", "README.md: the link 'docs/a.md#nothing' names a heading that docs/a.md does not have.")]
    [InlineData("[a](#nothing)", "README.md: the link '#nothing' names a heading that README.md does not have.")]
    [InlineData("[a](../outside.md)", "README.md: the link '../outside.md' leads out of the repository.")]
    [InlineData("![a](a.png)", "README.md: the link 'a.png' names a file that does not exist.")]
    public void Broken_link_is_named(string text, string problem)
    {
        Write("README.md", "# Top\n\n" + text);
        Write("docs/a.md", "# A\n\n## Its part\n");

        var site = DocumentationSite.Read(_folder.FullName);

        Assert.Equal([problem], site.Problems);
    }

    [Fact]
    public void Links_between_files_are_links_between_pages_and_pictures_come_along()
    {
        Write("Directory.Build.props", "<RepositoryUrl>https://example.com/repo</RepositoryUrl>");
        Write("README.md", "# Top\n\n[a](docs/guide/a.md#its-part) [code](src/Thing.cs) [there](https://example.org/) ![shot](docs/shot.png)\n");
        Write("docs/README.md", "# Documentation\n");
        Write("docs/guide/a.md", "# A <b>\n\n[back](../../README.md)\n\n## Its part\n\nSome words | here\n\n| x |\n|---|\n| y |\n");
        Write("docs/shot.png", "not really");
        Write("src/Thing.cs", "");
        var output = Path.Combine(_folder.FullName, "out");

        var site = DocumentationSite.Read(_folder.FullName);
        site.WriteTo(output);

        Assert.Empty(site.Problems);
        var top = File.ReadAllText(Path.Combine(output, "README.html"));
        Assert.Contains("<a href=\"docs/guide/a.html#its-part\">a</a>", top, StringComparison.Ordinal);
        Assert.Contains("<a href=\"https://example.com/repo/blob/main/src/Thing.cs\">code</a>", top, StringComparison.Ordinal);
        Assert.Contains("<a href=\"https://example.org/\">there</a>", top, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(output, "docs", "shot.png")));
        var page = File.ReadAllText(Path.Combine(output, "docs", "guide", "a.html"));
        Assert.Contains("<a href=\"../../README.html\">back</a>", page, StringComparison.Ordinal);
        Assert.Contains("href=\"../../assets/style.css\"", page, StringComparison.Ordinal);
        Assert.Contains("<div class=\"table\" tabindex=\"0\"><table>", page, StringComparison.Ordinal);
        var index = File.ReadAllText(Path.Combine(output, "assets", "search-index.js"));
        Assert.Contains("[\"docs/guide/a.html#its-part\",\"A : Its part\",\"Some words | here", index.Replace("A \\u003Cb\\u003E", "A ", StringComparison.Ordinal), StringComparison.Ordinal);
        Assert.Contains("docs/README.html", File.ReadAllText(Path.Combine(output, "index.html")), StringComparison.Ordinal);
    }

    private void Write(string file, string text)
    {
        var path = Path.Combine(_folder.FullName, file);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }

    [GeneratedRegex("(?<kind>href|src)=\"(?<url>[^\"]*)\"")]
    private static partial Regex Reference();
}
