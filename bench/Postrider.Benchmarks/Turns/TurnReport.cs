using System.Globalization;
using System.Text.Json;

namespace Postrider.Benchmarks.Turns;

/// <summary>Prints rows and writes them to a file, a line each.</summary>
internal sealed class TurnReport
{
    private static readonly JsonSerializerOptions s_format = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower };

    private readonly string _table;
    private readonly string? _file;

    public TurnReport(string table, string? file)
    {
        (_table, _file) = (table, file);
        if (file is not null)
            File.WriteAllText(file, "");
        Console.WriteLine($"{"row",-22} {"subject",-30} {"p50 us",10} {"p95 us",10} {"median us",10} {"B",10}  ours to this");
    }

    /// <summary>A row's cells; ours are compared with every other by their best rounds.</summary>
    public void Add(string row, IReadOnlyList<TurnCell> cells, Func<string, string, double?> targetOf)
    {
        foreach (var cell in cells)
        {
            var ratios = cells.Where(c => IsOurs(c.Subject) && !IsOurs(cell.Subject)).Select(ours => (ours.Subject, Ratio: ours.Least / cell.Least, Target: targetOf(ours.Subject, cell.Subject))).ToList();
            var words = string.Join(", ", ratios.Select(r => string.Create(
                CultureInfo.InvariantCulture,
                $"{r.Subject[Turn.Ours.Length..].Trim()} {r.Ratio:0.00}{(r.Target is { } most ? $" (<= {most}) {(r.Ratio <= most ? "held" : "MISSED")}" : "")}")));
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{row,-22} {cell.Subject,-30} {cell.Least,10:0.00} {cell.Tail,10:0.00} {cell.Median,10:0.00} {cell.Bytes,10:0}  {words}"));
            if (_file is null)
                continue;
            File.AppendAllText(_file, JsonSerializer.Serialize(new
            {
                Table = _table,
                Row = row,
                cell.Subject,
                Value = Math.Round(cell.Least, 3),
                Unit = "us",
                P95 = Math.Round(cell.Tail, 3),
                Median = Math.Round(cell.Median, 3),
                Spread = Math.Round(cell.Spread, 3),
                Bytes = Math.Round(cell.Bytes),
                Ratios = ratios.ToDictionary(r => r.Subject, r => Math.Round(r.Ratio, 3)),
                Targets = ratios.Where(r => r.Target is not null).ToDictionary(r => r.Subject, r => r.Target),
            }, s_format) + "\n");
        }
    }

    private static bool IsOurs(string subject) => subject.StartsWith(Turn.Ours, StringComparison.Ordinal);
}
