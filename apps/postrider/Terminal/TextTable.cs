using System.Text;

namespace Postrider.CommandLine.Terminal;

/// <summary>A table for people: headings, and columns as wide as their content.</summary>
/// <param name="headings">The columns' names; a name that starts with a space marks a numeric column, aligned right.</param>
internal sealed class TextTable(params string[] headings)
{
    private readonly List<string[]> _rows = [];
    private readonly Dictionary<int, Func<string, CellState>> _states = [];

    internal bool IsEmpty => _rows.Count == 0;

    internal void Add(params string[] cells) => _rows.Add(cells);

    /// <summary>Gives a column's cells the colours of their states.</summary>
    /// <param name="heading">The column's name.</param>
    /// <param name="state">The state of a cell, by its text.</param>
    internal TextTable Mark(string heading, Func<string, CellState> state)
    {
        _states.Add(Array.FindIndex(headings, one => one.Trim() == heading), state);
        return this;
    }

    /// <summary>Marks a column's numbers that are not zero.</summary>
    internal TextTable MarkNumbers(string heading, CellState state) => Mark(heading, text => text is "" or "0" ? CellState.Plain : state);

    /// <summary>The lines, without a line end after the last; empty for a table without rows.</summary>
    public override string ToString() => ToString(Colours.AreOn);

    /// <summary>The same with or without colours.</summary>
    internal string ToString(bool isColoured)
    {
        if (IsEmpty) return "";
        var widths = headings.Select((heading, column) => Math.Max(heading.Trim().Length, _rows.Max(row => row[column].Length))).ToArray();
        var text = new StringBuilder();
        Append(text, [.. headings.Select(static heading => heading.Trim())], widths, (cell, _) => isColoured ? Colours.Heading(cell) : cell);
        foreach (var row in _rows)
            Append(text.Append('\n'), row, widths, (cell, column) => isColoured && _states.TryGetValue(column, out var state) ? Colours.Paint(cell, state(cell)) : cell);
        return text.ToString();
    }

    private void Append(StringBuilder text, string[] cells, int[] widths, Func<string, int, string> paint)
    {
        var last = Array.FindLastIndex(cells, static cell => cell.Length > 0);
        for (var column = 0; column <= last; column++)
        {
            var (cell, gap) = (cells[column], new string(' ', widths[column] - cells[column].Length));
            var painted = cell.Length == 0 ? cell : paint(cell, column);
            if (column > 0) text.Append("  ");
            text.Append(headings[column].StartsWith(' ') ? gap + painted : column == last ? painted : painted + gap);
        }
    }
}
