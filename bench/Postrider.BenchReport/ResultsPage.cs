namespace Postrider.BenchReport;

/// <summary>RESULTS.md: a section per benchmark, in each a measured part, which a run replaces, and around it what is written by
/// hand, which it keeps.</summary>
/// <remarks>The measured part stands between <see cref="Begin"/> and <see cref="End"/>, a line each.</remarks>
public static class ResultsPage
{
    /// <summary>The line before the measured part of a section.</summary>
    public const string Begin = "<!-- measured -->";

    /// <summary>The line after it.</summary>
    public const string End = "<!-- end of measured -->";

    /// <summary>Replaces the measured part of a section in a folder's RESULTS.md; makes page or section where there is none.</summary>
    /// <param name="folder">The folder of RESULTS.md.</param>
    /// <param name="heading">The section's, without the marks of one.</param>
    /// <param name="measured">What a run has to say: Markdown without the heading.</param>
    /// <exception cref="FormatException">The section has one of the two lines alone; nothing is written.</exception>
    public static void Write(string folder, string heading, string measured)
    {
        var file = Path.Combine(folder, "RESULTS.md");
        File.WriteAllText(file, With(File.Exists(file) ? File.ReadAllText(file) : "# Results\n", heading, measured));
    }

    /// <summary>The page with the measured part of a section replaced; a page without the section has it at its end.</summary>
    /// <param name="page">The page as it is.</param>
    /// <param name="heading">The section's, without the marks of one.</param>
    /// <param name="measured">What a run has to say: Markdown without the heading.</param>
    /// <returns>The page. A section without the two lines counts as written by hand: the measured part is put before its text.</returns>
    /// <exception cref="FormatException">The section has one of the two lines alone.</exception>
    public static string With(string page, string heading, string measured)
    {
        ArgumentNullException.ThrowIfNull(page);
        ArgumentNullException.ThrowIfNull(measured);
        var text = "\n" + page.ReplaceLineEndings("\n").TrimEnd('\n') + "\n";
        var title = $"\n## {heading}";
        var part = $"{Begin}\n\n{measured.ReplaceLineEndings("\n").Trim('\n')}\n\n{End}";
        var at = text.IndexOf(title + "\n", StringComparison.Ordinal);
        if (at < 0)
            return $"{text}{title}\n\n{part}\n"[1..];

        var from = at + title.Length;
        var next = text.IndexOf("\n## ", from, StringComparison.Ordinal);
        var to = next < 0 ? text.Length : next;
        return (text[..from] + Body(text[from..to], heading, part) + text[to..])[1..];
    }

    private static string Body(string body, string heading, string part)
    {
        var begin = body.IndexOf($"\n{Begin}\n", StringComparison.Ordinal) + 1;
        var end = body.IndexOf($"\n{End}\n", StringComparison.Ordinal) + 1;
        if (begin == 0 && end == 0)
            return body.Trim('\n') is { Length: > 0 } byHand ? $"\n\n{part}\n\n{byHand}\n" : $"\n\n{part}\n";
        return begin > 0 && end > begin
            ? body[..begin] + part + body[(end + End.Length)..]
            : throw new FormatException($"The section '{heading}' has no line '{Begin}' before a line '{End}'.");
    }
}
