using System.Text;

namespace Postrider.CommandLine.Terminal;

/// <summary>A table for people: headings, and columns as wide as their content.</summary>
/// <param name="headings">The columns' names; a name that starts with a space marks a numeric column, aligned right.</param>
internal sealed class TextTable(params string[] headings)
{
    private readonly List<string[]> _rows = [];

    internal bool IsEmpty => _rows.Count == 0;

    internal void Add(params string[] cells) => _rows.Add(cells);

    /// <summary>The lines, without a line end after the last; empty for a table without rows.</summary>
    public override string ToString()
    {
        if (IsEmpty) return "";
        var widths = headings.Select((heading, column) => Math.Max(heading.Trim().Length, _rows.Max(row => row[column].Length))).ToArray();
        var text = new StringBuilder();
        Append(text, [.. headings.Select(static heading => heading.Trim())], widths);
        foreach (var row in _rows)
            Append(text.Append('\n'), row, widths);
        return text.ToString();
    }

    private void Append(StringBuilder text, string[] cells, int[] widths)
    {
        var line = cells.Select((cell, column) => headings[column].StartsWith(' ') ? cell.PadLeft(widths[column]) : cell.PadRight(widths[column]));
        text.Append(string.Join("  ", line).TrimEnd());
    }
}
