namespace Postrider.SystemTests.Guides;

/// <summary>A fenced block of a page.</summary>
/// <param name="Section">The heading of the second level above it; empty before the first one.</param>
/// <param name="Language">The first word behind the fence, or empty.</param>
/// <param name="Argument">The text after that word: the name of a terminal or of a file, or empty.</param>
/// <param name="FirstLine">The place of its first line in the page, counted from 0.</param>
/// <param name="Lines">The lines between the fences.</param>
internal sealed record GuideBlock(string Section, string Language, string Argument, int FirstLine, IReadOnlyList<string> Lines)
{
    private const string Fence = "```";

    /// <summary>The blocks of a page, in its order.</summary>
    internal static List<GuideBlock> Read(string page)
    {
        var blocks = new List<GuideBlock>();
        var lines = page.Split('\n');
        var section = "";
        for (var i = 0; i < lines.Length; i++)
        {
            if (lines[i].StartsWith("## ", StringComparison.Ordinal)) section = lines[i][3..];
            if (!lines[i].StartsWith(Fence, StringComparison.Ordinal)) continue;
            var info = lines[i][Fence.Length..].Split(' ', 2);
            var first = i + 1;
            for (i = first; !lines[i].StartsWith(Fence, StringComparison.Ordinal);) i++;
            blocks.Add(new GuideBlock(section, info[0], info.Length > 1 ? info[1] : "", first, lines[first..i]));
        }
        return blocks;
    }
}
