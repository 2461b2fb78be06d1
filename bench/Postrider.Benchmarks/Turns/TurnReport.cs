using System.Globalization;

namespace Postrider.Benchmarks.Turns;

/// <summary>Prints rows as they come and writes them to a file, a line each.</summary>
internal sealed class TurnReport
{
    private readonly string _table;
    private readonly string? _file;
    private readonly List<TurnCell> _cells = [];
    private readonly List<(TurnCell Cell, TurnTarget Target)> _targets = [];

    public TurnReport(string table, string? file)
    {
        (_table, _file) = (table, file);
        if (file is not null)
            File.WriteAllText(file, "");
        Console.WriteLine($"{"row",-22} {"subject",-32} {"p50 us",10} {"p95 us",10} {"mean us",10} {"B",10}  {"gen0/1/2 per 1,000",-20} targets");
    }

    public string Table => _table;

    public IReadOnlyList<TurnCell> Cells => _cells;

    public IReadOnlyList<(TurnCell Cell, TurnTarget Target)> Targets => _targets;

    /// <summary>Every line of the file.</summary>
    public IEnumerable<TurnLine> Lines => _cells.SelectMany(cell => TurnLine.Of(_table, cell, _cells, TargetsOf(cell)));

    /// <summary>A row's cells; the targets are those of one of ours in that row.</summary>
    public void Add(IReadOnlyList<TurnCell> cells, Func<TurnCell, IEnumerable<TurnTarget>> targetsOf)
    {
        _cells.AddRange(cells);
        _targets.AddRange(cells.Where(cell => cell.IsOurs).SelectMany(cell => targetsOf(cell).Select(target => (cell, target))));
        foreach (var cell in cells)
        {
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{cell.Row,-22} {cell.Subject,-32} {cell.Value,10:0.00} {cell.Tail,10:0.00} {cell.Mean,10:0.00} {cell.Bytes,10:0}  {Collections(cell),-20} {string.Join("; ", TargetsOf(cell))}"));
        }

        if (_file is not null)
            File.AppendAllLines(_file, cells.SelectMany(cell => TurnLine.Of(_table, cell, cells, TargetsOf(cell))).Select(line => line.ToJson()));
    }

    /// <summary>One sentence on the targets.</summary>
    public string Judgement()
    {
        var missed = _targets.Where(one => !one.Target.Holds).Select(one => $"{one.Cell.Row}, {one.Cell.Subject}: {one.Target}").ToList();
        return $"{_targets.Count - missed.Count} of {_targets.Count} targets hold{(missed.Count == 0 ? "" : $"; missed: {string.Join("; ", missed)}")}.";
    }

    /// <summary>Collections for 1,000 operations, by generation.</summary>
    public static string Collections(TurnCell cell)
    {
        var use = cell.Usage;
        return string.Create(CultureInfo.InvariantCulture, $"{use.PerThousand(use.Gen0):0.##}/{use.PerThousand(use.Gen1):0.##}/{use.PerThousand(use.Gen2):0.##}");
    }

    private IEnumerable<TurnTarget> TargetsOf(TurnCell cell) => _targets.Where(one => ReferenceEquals(one.Cell, cell)).Select(one => one.Target);
}
