using System.Globalization;
using System.Text;

namespace Postrider.Load.Reports;

/// <summary>Prints result lines as a table: a line per row, per metric a column per server and one for the ratio.</summary>
internal static class MarkdownTable
{
    private static readonly Metric[] Known =
    [
        Metric.Throughput, Metric.Megabytes, Metric.ServerCpu, Metric.LoadCpu, Metric.ClientCpu, Metric.P50, Metric.P99, Metric.P999, Metric.Resident,
    ];

    /// <summary>The lines in tables of rows that report the same figures: requests have latencies, streams have none.</summary>
    public static IEnumerable<IReadOnlyList<ResultLine>> Parts(IReadOnlyList<ResultLine> lines)
        => lines.GroupBy(line => line.Row)
            .GroupBy(row => string.Join('|', row.Select(line => line.Unit).Distinct().Order(StringComparer.Ordinal)))
            .Select(part => (IReadOnlyList<ResultLine>)[.. part.SelectMany(row => row)]);

    public static string Print(IReadOnlyList<ResultLine> lines)
    {
        var columns = Columns(lines);
        var ratio = lines.Any(line => line.Target is not null) ? "ratio (target)" : "ratio";
        List<string[]> table = [["row", .. columns.Select(column => column.Server is null ? ratio : Heading(column.Unit, column.Server)), "spread"]];
        foreach (var row in lines.GroupBy(line => line.Row))
        {
            ResultLine[] figures = [.. row];
            table.Add([figures[0].Title, .. columns.Select(column => Cell(figures, column)), Spread(figures)]);
        }

        return Align(table);
    }

    /// <summary>A figure with the unit's usual scale: 8.00M, 127 ns, 6.7 µs.</summary>
    public static string Figure(double value, string unit) => unit switch
    {
        _ when unit.Contains(" ns", StringComparison.Ordinal) && value >= 1_000_000 => Text(value / 1_000_000) + " ms",
        _ when unit.Contains(" ns", StringComparison.Ordinal) && value >= 1000 => Text(value / 1000) + " µs",
        _ when unit.Contains(" ns", StringComparison.Ordinal) => Text(value) + " ns",
        _ when unit.EndsWith("/s", StringComparison.Ordinal) && value >= 1_000_000 => (value / 1_000_000).ToString("F2", CultureInfo.InvariantCulture) + "M",
        _ when unit.EndsWith("/s", StringComparison.Ordinal) && value >= 10_000 => (value / 1000).ToString("F0", CultureInfo.InvariantCulture) + "k",
        _ => Text(value),
    };

    private static string Text(double value) => value.ToString(value >= 100 ? "F0" : value >= 10 ? "F1" : "F2", CultureInfo.InvariantCulture);

    // A column without a server is that of the ratio.
    private static List<(string Unit, string? Server)> Columns(IReadOnlyList<ResultLine> lines)
    {
        var columns = new List<(string Unit, string? Server)>();
        var units = lines.Select(line => line.Unit).Distinct()
            .OrderBy(unit => Array.FindIndex(Known, metric => metric.Unit == unit) is var at && at < 0 ? Known.Length : at);
        foreach (var unit in units)
        {
            var same = lines.Where(line => line.Unit == unit).ToArray();
            columns.AddRange(same.Select(line => line.Subject).Distinct().Select(server => (unit, (string?)server)));
            if (same.Any(line => (line.Ratio ?? line.Target) is not null))
                columns.Add((unit, null));
        }

        return columns;
    }

    private static string Heading(string unit, string server)
        => $"{Known.FirstOrDefault(metric => metric.Unit == unit)?.Heading ?? unit} {server}";

    private static string Cell(ResultLine[] row, (string Unit, string? Server) column)
    {
        var line = row.FirstOrDefault(line => line.Unit == column.Unit
            && (column.Server is null ? (line.Ratio ?? line.Target) is not null : line.Subject == column.Server));
        return line is null ? "" : column.Server is null ? Judgement(line) : Figure(line.Value, line.Unit);
    }

    private static string Judgement(ResultLine line)
    {
        var ratio = line.Ratio is { } number ? number.ToString("F2", CultureInfo.InvariantCulture) : "";
        if (line.Target is not { } target)
            return ratio;

        var sign = line.Rule == Rule.RatioAtLeast ? "≥" : "≤";
        var mark = line.Holds switch { true => " ✓", false => " ✗", _ => "" };
        return $"{ratio} ({sign} {target.ToString(CultureInfo.InvariantCulture)}){mark}".TrimStart();
    }

    private static string Spread(ResultLine[] row)
    {
        var repeated = row.Where(line => line.N > 1 && line.Unit == Metric.Throughput.Unit).ToArray();
        return string.Join(", ", repeated.Select(line => $"{line.Spread * 100:F0} %"));
    }

    private static string Align(List<string[]> table)
    {
        var widths = Enumerable.Range(0, table[0].Length).Select(column => table.Max(row => row[column].Length)).ToArray();
        var text = new StringBuilder();
        for (var r = 0; r < table.Count; r++)
        {
            text.Append('|');
            for (var c = 0; c < widths.Length; c++)
                text.Append(' ').Append(c == 0 ? table[r][c].PadRight(widths[c]) : table[r][c].PadLeft(widths[c])).Append(" |");
            text.AppendLine();
            if (r == 0)
                text.Append('|').AppendJoin("|", widths.Select((width, c) => c == 0 ? new string('-', width + 2) : new string('-', width + 1) + ":")).AppendLine("|");
        }

        return text.ToString();
    }
}
