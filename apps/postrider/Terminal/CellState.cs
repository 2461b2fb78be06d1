namespace Postrider.CommandLine.Terminal;

/// <summary>The meaning of a table's cell, which is its colour.</summary>
internal enum CellState
{
    Plain,
    Good,
    Warning,
    Bad,
}
