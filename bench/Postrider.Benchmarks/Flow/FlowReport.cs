using System.Globalization;

namespace Postrider.Benchmarks.Flow;

/// <summary>Prints the cells as they come, and writes their lines of JSON.</summary>
internal sealed class FlowReport(string? json)
{
    private readonly List<FlowCell> _cells = [];

    public IReadOnlyList<FlowCell> Cells => _cells;

    public void Head()
    {
        if (json is not null)
            File.WriteAllText(json, "");
        Console.WriteLine($"{"row",-46} {"subject",-20} {"median",10} {"least",10}  unit  {"B/item",8} {"x ours",7}  target");
    }

    public void Add(IReadOnlyList<FlowCell> cells)
    {
        _cells.AddRange(cells);
        foreach (var cell in cells)
        {
            var our = OursOf(cell, _cells);
            var ratio = our is null || ReferenceEquals(our, cell) ? "" : (cell.Median / our.Median).ToString("0.00", CultureInfo.InvariantCulture);
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{cell.Row.Row,-46} {cell.Row.Subject,-20} {cell.Median,10:0.00} {cell.Least,10:0.00}  {cell.Unit,-4}  {cell.BytesPerItem,8:0.0} {ratio,7}  {string.Join("; ", Verdict.Of(cell, _cells))}"));
        }
        if (json is not null)
            File.AppendAllLines(json, cells.SelectMany(cell => FlowLine.Of(cell, _cells)).Select(line => line.ToJson()));
    }

    public void End(bool peerAbsent)
    {
        if (peerAbsent)
            Console.WriteLine("Rivulet: peer absent (name the folder of its assembly: ./dev bench flow --peers FOLDER)");
        Console.WriteLine(Targets(_cells));
    }

    /// <summary>One sentence on the targets.</summary>
    public static string Targets(IReadOnlyList<FlowCell> cells)
    {
        var verdicts = cells.SelectMany(cell => Verdict.Of(cell, cells)).ToList();
        var judged = verdicts.Where(verdict => verdict.Holds is not null).ToList();
        var missed = judged.Where(verdict => verdict.Holds == false).Select(verdict => $"{verdict.Target.Row}: {verdict}").ToList();
        return $"{judged.Count - missed.Count} of {judged.Count} targets hold"
            + (missed.Count == 0 ? "" : $"; missed: {string.Join("; ", missed)}")
            + (judged.Count == verdicts.Count ? "" : $"; {verdicts.Count - judged.Count} were not judged, their peer was absent")
            + ".";
    }

    public static FlowCell? OursOf(FlowCell cell, IReadOnlyList<FlowCell> all)
        => all.FirstOrDefault(one => one.Row.Table == cell.Row.Table && one.Row.Row == cell.Row.Row && one.Row.Subject == FlowRow.Ours);
}
