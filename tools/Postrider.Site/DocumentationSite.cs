using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using Markdig.Syntax.Inlines;

namespace Postrider.Site;

/// <summary>The documentation as a folder of HTML files that works from a disk and from any server, with nothing of other hosts.</summary>
public sealed partial class DocumentationSite
{
    private const string Index = "docs/README.md";

    // Longer texts add bytes to the index and hardly a hit.
    private const int MaxSectionText = 2_000;

    private readonly string _root;
    private readonly string _repository;
    private readonly Dictionary<string, SitePage> _pages;
    private readonly SortedSet<string> _assets = new(StringComparer.Ordinal);
    private readonly List<string> _problems = [];

    private DocumentationSite(string root, string repository, IEnumerable<SitePage> pages)
    {
        _root = root;
        _repository = repository;
        _pages = pages.ToDictionary(static page => page.File, StringComparer.Ordinal);
    }

    /// <summary>The pages, by their files.</summary>
    public IReadOnlyCollection<SitePage> Pages => _pages.Values;

    /// <summary>The links that lead nowhere, each with its page.</summary>
    public IReadOnlyList<string> Problems => _problems;

    /// <summary>Reads the Markdown of a repository: the files below <c>docs</c>, and those that stand at its top and in <c>bench</c>.</summary>
    /// <param name="root">The repository.</param>
    public static DocumentationSite Read(string root)
    {
        root = Path.GetFullPath(root);
        var files = Directory.EnumerateFiles(root, "*.md")
            .Concat(Directory.EnumerateFiles(Path.Join(root, "docs"), "*.md", SearchOption.AllDirectories))
            .Concat(Directory.Exists(Path.Join(root, "bench")) ? Directory.EnumerateFiles(Path.Join(root, "bench"), "*.md") : [])
            .Order(StringComparer.Ordinal)
            .Select(file => SitePage.Parse(Path.GetRelativePath(root, file).Replace('\\', '/'), File.ReadAllText(file)));
        var settings = Path.Join(root, "Directory.Build.props");
        var repository = File.Exists(settings) && RepositoryUrl().Match(File.ReadAllText(settings)) is { Success: true } found ? found.Groups["url"].Value : "";
        var site = new DocumentationSite(root, repository, files);
        foreach (var page in site.Pages)
            site.Resolve(page);
        return site;
    }

    /// <summary>Writes the site.</summary>
    /// <param name="output">The folder; what is in it stays, except the files of the same names.</param>
    public void WriteTo(string output)
    {
        foreach (var page in Pages)
            Write(output, page.Address, Html(page));
        if (_pages.ContainsKey(Index))
            Write(output, "index.html", $"<!doctype html><meta charset=\"utf-8\"><title>Postrider</title><meta http-equiv=\"refresh\" content=\"0; url={AddressOf(Index)}\"><a href=\"{AddressOf(Index)}\">Documentation</a>\n");
        Write(output, "assets/style.css", Resource("style.css"));
        Write(output, "assets/search.js", Resource("search.js"));
        Write(output, "assets/search-index.js", $"globalThis.searchIndex = {SearchIndex()};\n");
        foreach (var asset in _assets)
        {
            var target = Path.Join(output, asset);
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(Path.Join(_root, asset), target, overwrite: true);
        }
    }

    private static void Write(string output, string address, string text)
    {
        var target = Path.Join(output, address);
        Directory.CreateDirectory(Path.GetDirectoryName(target)!);
        File.WriteAllText(target, text);
    }

    private static string Resource(string name)
    {
        using var reader = new StreamReader(typeof(DocumentationSite).Assembly.GetManifestResourceStream(name) ?? throw new InvalidOperationException($"The program was built without {name}."));
        return reader.ReadToEnd();
    }

    // Links between files of the repository become links between pages; what is no page is copied where it is shown, and otherwise linked in the repository.
    private void Resolve(SitePage page)
    {
        foreach (var link in page.Links)
        {
            var url = link.Url ?? "";
            if (url.Contains("://", StringComparison.Ordinal) || url.StartsWith("mailto:", StringComparison.Ordinal)) continue;
            var hash = url.IndexOf('#', StringComparison.Ordinal);
            var (path, anchor) = hash < 0 ? (url, "") : (url[..hash], url[(hash + 1)..]);
            var target = path.Length == 0 ? page.File : Normalize(Path.GetDirectoryName(page.File)!.Replace('\\', '/'), Uri.UnescapeDataString(path));
            if (target is null) Broken(page, url, "leads out of the repository");
            else if (_pages.TryGetValue(target, out var other)) Link(page, link, other, anchor);
            else if (File.Exists(Path.Join(_root, target)) || Directory.Exists(Path.Join(_root, target))) LinkFile(page, link, target, hash < 0 ? "" : url[hash..]);
            else Broken(page, url, "names a file that does not exist");
        }
    }

    private void Link(SitePage page, LinkInline link, SitePage other, string anchor)
    {
        if (anchor.Length > 0 && !other.Sections.Any(section => section.Anchor == anchor)) Broken(page, link.Url!, $"names a heading that {other.File} does not have");
        link.Url = Relative(page, other.Address) + (anchor.Length > 0 ? "#" + anchor : "");
    }

    private void LinkFile(SitePage page, LinkInline link, string target, string anchor)
    {
        if (link.IsImage || target.EndsWith(".svg", StringComparison.Ordinal) || target.EndsWith(".png", StringComparison.Ordinal))
        {
            _assets.Add(target);
            link.Url = Relative(page, target);
        }
        else
        {
            link.Url = $"{_repository}/{(Directory.Exists(Path.Join(_root, target)) ? "tree" : "blob")}/main/{target}{anchor}";
        }
    }

    private void Broken(SitePage page, string url, string why) => _problems.Add($"{page.File}: the link '{url}' {why}.");

    // A path of the repository without '.' and '..'; null when it leads out of it.
    private static string? Normalize(string folder, string path)
    {
        var parts = new List<string>();
        foreach (var part in (folder + "/" + path).Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            if (part == ".") continue;
            if (part != "..") parts.Add(part);
            else if (parts.Count == 0) return null;
            else parts.RemoveAt(parts.Count - 1);
        }

        return string.Join('/', parts);
    }

    private static string Relative(SitePage page, string address) => string.Concat(Enumerable.Repeat("../", page.Address.Count(static letter => letter == '/'))) + address;

    private string AddressOf(string file) => _pages[file].Address;

    private string Html(SitePage page)
    {
        var up = Relative(page, "");
        var text = new StringBuilder();
        text.Append($"""
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>{WebUtility.HtmlEncode(page.Title)} · Postrider</title>
            <link rel="stylesheet" href="{up}assets/style.css">
            <link rel="icon" href="data:,">
            </head>
            <body data-up="{up}">
            <a class="skip" href="#main">Skip to the content</a>
            <header>
            <a class="home" href="{up}index.html">Postrider</a>
            <nav aria-label="Main">

            """);
        foreach (var (file, title) in new[] { (Index, "Documentation"), ("docs/guide/quick-start.md", "Quick start"), ("README.md", "README"), ("bench/RESULTS.md", "Benchmarks") })
        {
            if (_pages.TryGetValue(file, out var other))
                text.Append($"<a href=\"{Relative(page, other.Address)}\"{(other == page ? " aria-current=\"page\"" : "")}>{title}</a>\n");
        }

        text.Append("""
            </nav>
            <search><label>Search <input type="search" id="search" autocomplete="off"></label><ol id="found" hidden></ol></search>
            </header>
            <div class="columns">

            """);
        var sections = page.Sections.Where(static section => section.Level == 2).ToList();
        if (sections.Count > 1)
        {
            text.Append("<nav class=\"sections\" aria-label=\"On this page\"><ul>\n");
            foreach (var section in sections)
                text.Append($"<li><a href=\"#{section.Anchor}\">{WebUtility.HtmlEncode(section.Title)}</a></li>\n");
            text.Append("</ul></nav>\n");
        }

        text.Append("<main id=\"main\">\n").Append(Table().Replace(page.Render(), "<div class=\"table\" tabindex=\"0\">$0</div>"));
        return text.Append($"</main>\n</div>\n<script src=\"{up}assets/search.js\" defer></script>\n</body>\n</html>\n").ToString();
    }

    private string SearchIndex()
        => JsonSerializer.Serialize(Pages.SelectMany(static page => page.Texts().Select(part => new[]
        {
            part.Section.Level == 1 ? page.Address : $"{page.Address}#{part.Section.Anchor}",
            part.Section.Level == 1 ? page.Title : $"{page.Title}: {part.Section.Title}",
            part.Text.Length > MaxSectionText ? part.Text[..MaxSectionText] : part.Text,
        })));

    [GeneratedRegex("<RepositoryUrl>(?<url>[^<]+)</RepositoryUrl>")]
    private static partial Regex RepositoryUrl();

    // Wide tables scroll by themselves, not the page.
    [GeneratedRegex("<table>.*?</table>", RegexOptions.Singleline)]
    private static partial Regex Table();
}
