using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Postrider.BenchReport;

namespace Postrider.Benchmarks.Flow;

/// <summary>The committed results: <c>results/flow.jsonl</c> and the Flow section of RESULTS.md.</summary>
internal static class FlowResults
{
    private static readonly (string Table, string Title, string Note)[] Tables =
    [
        ("core", "Core", "An instant body completes at once, at 8 in flight; the unit is ns an item. A waiting one takes 1 ms (a tick of 4 ms here), and the unit is ms an operation."),
        ("features", "Features", "On and never triggered: 10,000 instant items at 8, and 500 of 2 ms at 16. 'One clock read' is the plain row with a clock read in its body. " +
            "Adaptive: 6,000 calls of a service that takes 2 ms, beside the best fixed limit; Vegas has no target, AIMD 8 ms."),
        ("batches", "Batches", "At 4 in flight; 5 ms a batch."),
        ("errors", "Errors", "500 items at 8, 1 ms backoff."),
        ("scaling", "Scaling", "1,000 items of 1 ms, beside workers on a channel."),
    ];

    public static void Write(string folder, IReadOnlyList<FlowCell> cells, string arguments)
    {
        Directory.CreateDirectory(Path.Combine(folder, "results"));
        File.WriteAllLines(Path.Combine(folder, "results", "flow.jsonl"), cells.SelectMany(cell => FlowLine.Of(cell, cells)).Select(line => line.ToJson()));
        ResultsPage.Write(folder, "Flow", Render(cells, arguments));
    }

    private static string Render(IReadOnlyList<FlowCell> cells, string arguments)
    {
        var peers = string.Join(", ", typeof(FlowResults).Assembly.GetReferencedAssemblies().Where(one => one.Name is "Polly.Core" or "Rivulet.Core").Select(one => $"{one.Name} {one.Version!.ToString(3)}"));
        var text = new StringBuilder()
            .Append(CultureInfo.InvariantCulture, $"{TimeProvider.System.GetUtcNow():yyyy-MM-dd HH:mm} UTC, commit {Machine.Commit()}. {Machine.Processor()}, {Environment.ProcessorCount} cores, Linux {Environment.OSVersion.Version}, {RuntimeInformation.FrameworkDescription}; {peers}. ")
            .Append(CultureInfo.InvariantCulture, $"`./dev bench flow {arguments}`: every cell in a process of its own, in turns; medians of {cells.Where(cell => !cell.Row.IsWaiting).Select(cell => cell.Times.Count).DefaultIfEmpty().Max()} rounds of 4 ms for instant bodies (in the whole run each the middle one of three processes), of 1 to 11 operations for waiting ones; differences are medians of each round's difference; in brackets the spread, (max - min) / median. ")
            .Append("Every operation shows that it did its work.\n\n")
            .Append(FlowReport.Targets(cells)).Append('\n');
        foreach (var (table, title, note) in Tables)
        {
            var rows = cells.Where(cell => cell.Row.Table == table).GroupBy(cell => cell.Row.Row).ToList();
            if (rows.Count == 0)
                continue;
            text.Append(CultureInfo.InvariantCulture, $"\n### {title}\n\n{note}\n\n| row | subject | time | B/item | x ours | targets |\n|---|---|--:|--:|--:|---|\n");
            foreach (var cell in rows.SelectMany(row => row))
                text.Append(Line(cell, cells));
        }
        return text.ToString();
    }

    private static string Line(FlowCell cell, IReadOnlyList<FlowCell> all)
    {
        var our = FlowReport.OursOf(cell, all);
        var isOurs = ReferenceEquals(our, cell);
        var latency = cell.Latency is { } mean ? string.Create(CultureInfo.InvariantCulture, $", {mean:0.0} ms a call") : "";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"| {(isOurs || our is null ? cell.Row.Row : "")} | {cell.Row.Subject} | {cell.Median:0.0} {cell.Unit} [{100 * (cell.Most - cell.Least) / cell.Median:0} %]{latency} | {cell.BytesPerItem:0.0} | {(isOurs || our is null ? "" : (cell.Median / our.Median).ToString("0.00", CultureInfo.InvariantCulture))} | {string.Join("; ", Verdict.Of(cell, all))} |\n");
    }
}
