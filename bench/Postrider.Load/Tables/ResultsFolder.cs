using System.Text;
using Postrider.Load.Reports;

namespace Postrider.Load.Tables;

/// <summary>The committed results: <c>results/broker.jsonl</c>, <c>results/broker-soak.jsonl</c> (which no other run is compared
/// with), <c>results/broker-about.jsonl</c> and the Broker section of RESULTS.md.</summary>
/// <remarks>A run replaces the tables it measured and leaves the others; the section is rendered from the two files.</remarks>
internal sealed class ResultsFolder(string folder)
{
    private const string Heading = "## Broker";

    private static readonly (string Table, string Title, string Note)[] Known =
    [
        (CoreTable.Name, "Rates and latencies", "A message is a delivered one (a published one where nobody listens; a request with its reply). MB/s counts payload. " +
            "CPU is user and system time of the process. RSS is taken once the row's last run is over, in a server that has run all rows above. " +
            "Ratios: throughput and latency ours / theirs, CPU theirs / ours."),
        (MemoryTable.Name, "Memory", "Fresh servers. MB are millions of bytes of VmRSS."),
        (GrowthTable.Name, "Growth", "Connections are held by processes of their own; their CPU is part of the generator's."),
        (SoakTable.Name, "Soak", "Streams, requests and coming and going connections at the same time; memory is sampled twice a second."),
    ];

    private readonly string _lines = Path.Combine(folder, "results", "broker.jsonl");
    private readonly string _soak = Path.Combine(folder, "results", "broker-soak.jsonl");
    private readonly string _about = Path.Combine(folder, "results", "broker-about.jsonl");
    private readonly string _page = Path.Combine(folder, "RESULTS.md");

    public void Replace(IReadOnlyList<(About About, IReadOnlyList<ResultLine> Lines)> tables)
    {
        Directory.CreateDirectory(Path.Combine(folder, "results"));
        var fresh = tables.Select(table => table.About.Table).ToHashSet();
        var lines = Read(_lines).Concat(Read(_soak)).Select(ResultLine.Parse).Where(line => !fresh.Contains(line.Table))
            .Concat(tables.SelectMany(table => table.Lines)).ToList();
        var abouts = Read(_about).Select(About.Parse).Where(about => !fresh.Contains(about.Table))
            .Concat(tables.Select(table => table.About)).ToList();

        WriteLines(_lines, lines.Where(line => line.Table != SoakTable.Name));
        WriteLines(_soak, lines.Where(line => line.Table == SoakTable.Name));
        File.WriteAllLines(_about, abouts.Select(about => about.ToJson()));
        var page = File.Exists(_page) ? File.ReadAllText(_page) : "# Results\n";
        File.WriteAllText(_page, WithSection(page, Render(lines, abouts)));
    }

    /// <summary>The page with its Broker section replaced, or with one added at the end.</summary>
    public static string WithSection(string page, string section)
    {
        var text = page.ReplaceLineEndings("\n");
        var start = text.StartsWith(Heading + "\n", StringComparison.Ordinal) ? 0 : text.IndexOf($"\n{Heading}\n", StringComparison.Ordinal) + 1;
        if (start == 0 && !text.StartsWith(Heading + "\n", StringComparison.Ordinal))
            return $"{text.TrimEnd('\n')}\n\n{section}";

        var end = text.IndexOf("\n## ", start + Heading.Length, StringComparison.Ordinal);
        return text[..start] + section + (end < 0 ? "" : text[end..]);
    }

    /// <summary>The section: per table what it says, how it was measured, the figures, the targets that were missed.</summary>
    public static string Render(IReadOnlyList<ResultLine> lines, IReadOnlyList<About> abouts)
    {
        var text = new StringBuilder().Append(Heading).Append('\n');
        foreach (var (table, title, note) in Known)
        {
            ResultLine[] own = [.. lines.Where(line => line.Table == table)];
            if (own.Length == 0 || abouts.FirstOrDefault(about => about.Table == table) is not { } about)
                continue;

            text.Append($"\n### {title}\n\n{note}\n\n")
                .Append($"{about.Date}, commit {about.Commit}, {about.Versions}. {about.Machine}, {about.Runtime}. ")
                .Append($"`{about.Command}`: {about.Repeats} repetitions of {about.Seconds} s, servers in turn, medians; spread is (max - min) / median per server.\n\n");
            foreach (var part in MarkdownTable.Parts(own))
                text.Append(MarkdownTable.Print(part)).Append('\n');
            text.Append(Missed(own)).Append('\n');
        }

        return text.ToString().ReplaceLineEndings("\n");
    }

    /// <summary>One sentence on the targets.</summary>
    public static string Missed(IReadOnlyList<ResultLine> lines)
    {
        var judged = lines.Where(line => line.Holds is not null).ToArray();
        var missed = judged.Where(line => line.Holds == false)
            .Select(line => $"{line.Title} ({line.Unit}: {line.Ratio ?? line.Value} against {line.Target})").ToArray();
        return judged.Length == 0 ? "No target was judged.\n"
            : missed.Length == 0 ? $"All {judged.Length} targets hold.\n"
            : $"{judged.Length - missed.Length} of {judged.Length} targets hold; missed: {string.Join("; ", missed)}.\n";
    }

    private static void WriteLines(string path, IEnumerable<ResultLine> lines)
    {
        string[] text = [.. lines.Select(line => line.ToJson())];
        if (text.Length > 0)
            File.WriteAllLines(path, text);
    }

    private static string[] Read(string path) => File.Exists(path) ? File.ReadAllLines(path) : [];
}
