namespace Postrider.Load.Reports;

/// <summary>Tells whoever waits what each row gave, as soon as it is known.</summary>
internal sealed class RowLog(TextWriter output)
{
    /// <summary>What failed so far: each row that gave no figures and why.</summary>
    public List<string> Failures { get; } = [];

    /// <summary>Does the work of a row; a measurement that cannot count is said and remembered, and the other rows go on.</summary>
    public bool Try(string row, Action work)
    {
        try
        {
            work();
            return true;
        }
        catch (Exception e) when (e is LoadException or System.Net.Sockets.SocketException)
        {
            Failures.Add($"{row}: {e.Message}");
            Say($"FAILED {Failures[^1]}");
            return false;
        }
    }

    public void Say(string text) => output.WriteLine(text);

    public void Write(IReadOnlyList<ResultLine> row)
    {
        foreach (var line in row.GroupBy(line => (line.Row, line.Subject)))
            output.WriteLine($"{line.First().Title,-58} {line.Key.Subject,-12} " + string.Join("  ", line.Select(Figure)));
    }

    private static string Figure(ResultLine line)
    {
        var judged = line.Holds switch { true => " ok", false => $" MISSED {line.Target}", _ => "" };
        return $"{MarkdownTable.Figure(line.Value, line.Unit)} {line.Unit}" + (line.Ratio is { } ratio ? $" (x{ratio:F2}{judged})" : judged);
    }
}
