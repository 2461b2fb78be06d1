using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Postrider.BenchReport;

namespace Postrider.Benchmarks.Turns;

/// <summary>The committed results: <c>results/TABLE.jsonl</c> and a section of RESULTS.md.</summary>
/// <param name="Heading">The section's, without the marks of one.</param>
/// <param name="Note">How it was measured, and what beside what.</param>
internal sealed record TurnResults(string Heading, string Note)
{
    public void Write(string folder, TurnReport report, string command, IReadOnlyList<TurnSheet> sheets)
    {
        Directory.CreateDirectory(Path.Combine(folder, "results"));
        File.WriteAllLines(Path.Combine(folder, "results", report.Table + ".jsonl"), report.Lines.Select(line => line.ToJson()));
        ResultsPage.Write(folder, Heading, Measured(report, command, sheets));
    }

    /// <summary>Microseconds with the digits that mean something.</summary>
    public static string Time(double microseconds)
        => microseconds.ToString(microseconds < 10 ? "0.00" : microseconds < 100 ? "0.0" : "#,0", CultureInfo.InvariantCulture);

    /// <summary>Bytes an operation.</summary>
    public static string Bytes(double bytes)
        => bytes < 10_000 ? string.Create(CultureInfo.InvariantCulture, $"{bytes:#,0} B") : string.Create(CultureInfo.InvariantCulture, $"{bytes / 1024:#,0} KiB");

    private string Measured(TurnReport report, string command, IReadOnlyList<TurnSheet> sheets)
    {
        var text = new StringBuilder()
            .Append(CultureInfo.InvariantCulture, $"{TimeProvider.System.GetUtcNow():yyyy-MM-dd HH:mm} UTC, commit {Machine.Commit()}. {Machine.Processor()}, {Environment.ProcessorCount} cores, Linux {Environment.OSVersion.Version}, {RuntimeInformation.FrameworkDescription}. `{command}`: {Note}\n\n{report.Judgement()}\n");
        foreach (var sheet in sheets)
            Append(text, sheet.Title, report.Cells.Select(cell => (cell.Row, cell.Subject, sheet.Figure(cell))), sheet.Column);
        foreach (var rows in sheets.Select(sheet => sheet.Column).DistinctBy(column => string.Join('|', report.Cells.Select(cell => column(cell.Row)))))
        {
            Append(text, "targets", report.Targets.Select(one => (one.Cell.Row, $"{one.Cell.Subject}, {one.Target.Name}",
                string.Create(CultureInfo.InvariantCulture, $"{one.Target.Reached:#,0.##} (≤ {one.Target.Most:#,0.##}) {(one.Target.Holds ? "✓" : "✗")}"))), rows);
        }

        return text.ToString();
    }

    private static void Append(StringBuilder text, string title, IEnumerable<(string Row, string Subject, string Figure)> figures, Func<string, string?> columnOf)
    {
        var shown = figures.Select(one => (Column: columnOf(one.Row), one.Subject, one.Figure)).Where(one => one.Column is not null).ToList();
        if (shown.Count == 0)
            return;
        var columns = shown.Select(one => one.Column).Distinct().ToList();
        text.Append(CultureInfo.InvariantCulture, $"\n| {title} | {string.Join(" | ", columns)} |\n|---|{string.Concat(columns.Select(_ => "--:|"))}\n");
        foreach (var subject in shown.GroupBy(one => one.Subject))
            text.Append(CultureInfo.InvariantCulture, $"| {subject.Key} | {string.Join(" | ", columns.Select(column => subject.FirstOrDefault(one => one.Column == column).Figure ?? ""))} |\n");
    }
}
