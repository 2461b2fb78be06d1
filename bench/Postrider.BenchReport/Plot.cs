using System.Globalization;
using System.Net;
using System.Text;

namespace Postrider.BenchReport;

/// <summary>A table of figures as bars in SVG: a group for each row, a bar for each subject, as long as its share of the row's greatest value.</summary>
/// <remarks>The text is the same for the same figures, so that a test can hold the committed files against the committed figures.</remarks>
public static class Plot
{
    /// <summary>Rows of a plot; tables may have many more.</summary>
    public const int MaxRows = 14;

    /// <summary>Bars of a row; the best are shown, and the best of ours always.</summary>
    public const int MaxSubjects = 6;

    private const int Width = 760;
    private const int BarHeight = 15;
    private const int LabelWidth = 240;
    private const int BarWidth = 360;
    private const int RowGap = 26;
    private const int Top = 44;

    /// <summary>Makes the plot of the figures that a file begins with.</summary>
    /// <param name="figures">The figures of a run; those of the first one's table and unit are shown where a row has several subjects.</param>
    /// <returns>An SVG document; null when no row compares anything.</returns>
    public static string? Render(IReadOnlyList<BenchFigure> figures)
    {
        ArgumentNullException.ThrowIfNull(figures);
        if (figures.Count == 0) return null;
        var (table, unit) = (figures[0].Table, figures[0].Unit);
        var rows = figures.Where(figure => figure.Table == table && figure.Unit == unit && double.IsFinite(figure.Value))
            .GroupBy(static figure => (figure.Row, figure.Bytes))
            .Where(static row => row.Select(static figure => figure.Subject).Distinct(StringComparer.Ordinal).Count() > 1)
            .ToList();
        if (rows.Count == 0) return null;
        var shown = rows.Take(MaxRows).Select(static row => Best([.. row])).ToList();
        var height = Top + shown.Sum(static row => RowGap + (row.Count * BarHeight)) + 30;
        var better = shown[0][0].HigherIsBetter ? "longer is better" : "shorter is better";
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"""
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {Width} {height}" role="img" aria-label="{Encode(table)}, {Encode(unit)}">
            <style>
            text {"{"} font: 12px system-ui, sans-serif; fill: #1b1f24; {"}"} .soft {"{"} fill: #57606a; {"}"} .row {"{"} font-weight: 600; {"}"} .title {"{"} font-size: 15px; font-weight: 600; {"}"}
            .back {"{"} fill: #fff; {"}"} .ours {"{"} fill: #0a5bd3; {"}"} .peer {"{"} fill: #9aa4ae; {"}"}
            @media (prefers-color-scheme: dark) {"{"} text {"{"} fill: #e8ebef; {"}"} .soft {"{"} fill: #a3adb8; {"}"} .back {"{"} fill: #14171b; {"}"} .ours {"{"} fill: #79b0ff; {"}"} .peer {"{"} fill: #5b6570; {"}"} {"}"}
            </style>
            <rect class="back" width="{Width}" height="{height}"/>
            <text class="title" x="12" y="24">{Encode(table)}: {Encode(unit)}, {better}</text>

            """);
        var y = Top;
        foreach (var row in shown)
        {
            text.Append(CultureInfo.InvariantCulture, $"<text class=\"row\" x=\"12\" y=\"{y + 12}\">{Encode(row[0].Title ?? row[0].Row)}</text>\n");
            y += RowGap - 8;
            var greatest = row.Max(static figure => figure.Value);
            foreach (var figure in row)
            {
                var length = greatest <= 0 ? 1 : Math.Max(1, (int)Math.Round(BarWidth * figure.Value / greatest));
                text.Append(CultureInfo.InvariantCulture, $"<text class=\"soft\" x=\"24\" y=\"{y + 11}\">{Encode(figure.Subject)}</text><rect class=\"{(IsOurs(figure) ? "ours" : "peer")}\" x=\"{LabelWidth}\" y=\"{y + 2}\" width=\"{length}\" height=\"{BarHeight - 4}\" rx=\"2\"/><text x=\"{LabelWidth + length + 6}\" y=\"{y + 11}\">{Value(figure.Value)}</text>\n");
                y += BarHeight;
            }

            y += 8;
        }

        var rest = rows.Count > MaxRows ? $" {rows.Count - MaxRows} more rows are in the table." : "";
        text.Append(CultureInfo.InvariantCulture, $"<text class=\"soft\" x=\"12\" y=\"{height - 10}\">Each group has a scale of its own; a figure is a median.{rest}</text>\n</svg>\n");
        return text.ToString();
    }

    private static List<BenchFigure> Best(List<BenchFigure> row)
    {
        var sorted = (row[0].HigherIsBetter ? row.OrderByDescending(static figure => figure.Value) : row.OrderBy(static figure => figure.Value)).ToList();
        var best = sorted.Take(MaxSubjects).ToList();
        if (!best.Exists(IsOurs) && sorted.Find(IsOurs) is { } ours) best[^1] = ours;
        return best;
    }

    private static bool IsOurs(BenchFigure figure) => figure.Subject.StartsWith("Postrider", StringComparison.OrdinalIgnoreCase);

    private static string Value(double value)
        => value >= 1000 ? value.ToString("N0", CultureInfo.InvariantCulture) : value.ToString("G3", CultureInfo.InvariantCulture);

    private static string Encode(string text) => WebUtility.HtmlEncode(text);
}
