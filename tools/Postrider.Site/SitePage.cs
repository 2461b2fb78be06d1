using Markdig;
using Markdig.Extensions.AutoIdentifiers;
using Markdig.Renderers.Html;
using Markdig.Syntax;
using Markdig.Syntax.Inlines;

namespace Postrider.Site;

/// <summary>A Markdown file of the repository.</summary>
public sealed class SitePage
{
    private static readonly MarkdownPipeline s_pipeline = new MarkdownPipelineBuilder().UsePipeTables().UseAutoIdentifiers(AutoIdentifierOptions.GitHub).Build();

    private readonly MarkdownDocument _document;

    private SitePage(string file, MarkdownDocument document)
    {
        File = file;
        _document = document;
        Sections = [.. document.Descendants<HeadingBlock>().Select(static heading => new SiteSection(heading.Level, heading.TryGetAttributes()?.Id ?? "", TextOf(heading.Inline)))];
        Title = Sections.FirstOrDefault(static section => section.Level == 1)?.Title ?? Path.GetFileNameWithoutExtension(file);
    }

    /// <summary>The path in the repository, with slashes.</summary>
    public string File { get; }

    /// <summary>The path in the site.</summary>
    public string Address => Path.ChangeExtension(File, ".html").Replace('\\', '/');

    /// <summary>The first heading.</summary>
    public string Title { get; }

    /// <summary>The headings, with the anchors by which they are linked.</summary>
    public IReadOnlyList<SiteSection> Sections { get; }

    /// <summary>The links and images, which may be changed before the page is rendered.</summary>
    internal IEnumerable<LinkInline> Links => _document.Descendants<LinkInline>();

    /// <summary>Reads a page.</summary>
    /// <param name="file">The path in the repository.</param>
    /// <param name="text">The Markdown.</param>
    public static SitePage Parse(string file, string text) => new(file, Markdown.Parse(text, s_pipeline));

    /// <summary>The page as HTML, without what stands around it.</summary>
    internal string Render() => _document.ToHtml(s_pipeline);

    /// <summary>The words of each section, without its code.</summary>
    internal IEnumerable<(SiteSection Section, string Text)> Texts()
    {
        var at = -1;
        var words = new List<string>();
        foreach (var block in _document.Descendants<LeafBlock>())
        {
            if (block is HeadingBlock)
            {
                if (at >= 0) yield return (Sections[at], string.Join(' ', words));
                at++;
                words.Clear();
            }
            else if (block.Inline is { } inline) words.Add(TextOf(inline));
        }

        if (at >= 0) yield return (Sections[at], string.Join(' ', words));
    }

    private static string TextOf(ContainerInline? inline)
        => inline is null ? "" : string.Concat(inline.Descendants().Select(static part => part switch
        {
            LiteralInline literal => literal.Content.ToString(),
            CodeInline code => code.Content,
            LineBreakInline => " ",
            _ => "",
        }));
}
