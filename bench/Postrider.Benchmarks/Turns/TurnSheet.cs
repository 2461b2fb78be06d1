namespace Postrider.Benchmarks.Turns;

/// <summary>A table of the results page: the subjects below each other, rows of the run beside each other.</summary>
/// <param name="Title">What stands over it.</param>
/// <param name="Column">The heading of a row of the run; null when it is not in this table.</param>
/// <param name="Figure">What is shown of a cell.</param>
internal sealed record TurnSheet(string Title, Func<string, string?> Column, Func<TurnCell, string> Figure);
