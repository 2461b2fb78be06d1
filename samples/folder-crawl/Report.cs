using Postrider.Flow.Outcomes;
using Spectre.Console;

namespace FolderCrawl;

/// <summary>The results of the crawl, as a table.</summary>
internal static class Report
{
    public static void Print(IReadOnlyList<FileInfo> files, IReadOnlyList<Outcome<FileReport>> outcomes)
    {
        var good = outcomes.Where(outcome => outcome.HasValue).ToList();
        var table = new Table().Border(TableBorder.Rounded)
            .AddColumn("kind").AddColumn("files", column => column.RightAligned()).AddColumn("MiB", column => column.RightAligned())
            .AddColumn("compressed", column => column.RightAligned());
        foreach (var kind in good.GroupBy(outcome => files[(int)outcome.Index].Extension).OrderByDescending(kind => kind.Sum(Bytes)).Take(8))
        {
            var bytes = kind.Sum(Bytes);
            var compressed = kind.Sum(outcome => outcome.Value!.CompressedBytes);
            table.AddRow(kind.Key is "" ? "(none)" : kind.Key, $"{kind.Count()}", $"{bytes / 1048576.0:0.00}", bytes == 0 ? "" : $"{100.0 * compressed / bytes:0} %");
        }
        AnsiConsole.Write(table);
        var twins = good.Where(outcome => Bytes(outcome) > 0).GroupBy(outcome => outcome.Value!.Hash).Where(same => same.Count() > 1).ToList();
        AnsiConsole.WriteLine($"{good.Count} files, {good.Sum(Bytes) / 1048576.0:0.0} MiB; {twins.Sum(same => same.Count() - 1)} are copies of another file.");
        foreach (var bad in outcomes.Where(outcome => !outcome.HasValue).Take(5))
            AnsiConsole.WriteLine($"{files[(int)bad.Index].Name}: {bad.Reason} after {bad.Attempts} attempts: {bad.Exception?.Message}");
    }

    private static long Bytes(Outcome<FileReport> outcome) => outcome.Value!.Bytes;
}
