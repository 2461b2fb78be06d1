using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace Postrider.Benchmarks.Dispatch;

/// <summary>The table of dispatch: <c>dispatch [--quick] [--json FILE] [--row TEXT] [--subject TEXT]</c>.</summary>
/// <remarks>Every cell runs in a process of its own, several times in turn with the others; the median of the processes'
/// medians is shown. The first subject named in a row that is not ours is its peer.</remarks>
public static class DispatchBench
{
    private static readonly string[] s_peers = ["Mediator", "MediatR", "bare"];

    /// <summary>Runs the table.</summary>
    /// <param name="args">As in the summary.</param>
    /// <returns>0 when every target held.</returns>
    public static int Run(string[] args)
    {
        ArgumentNullException.ThrowIfNull(args);
        if (Option(args, "--cell") is { } cell)
            return RunCell(cell, args.Contains("--quick"));

        var quick = args.Contains("--quick");
        var rows = All()
            .Where(r => Option(args, "--row") is not { } text || r.Row.Contains(text, StringComparison.OrdinalIgnoreCase))
            .Where(r => Option(args, "--subject") is not { } text || r.Subject.Contains(text, StringComparison.OrdinalIgnoreCase))
            .ToList();
        var repeats = quick ? 1 : 3;
        var results = rows.ToDictionary(Key, _ => new List<Cell>());
        for (var round = 0; round < repeats; round++)
        {
            foreach (var row in rows)
                results[Key(row)].Add(InOwnProcess(row, quick));
        }

        var report = new BenchReport("dispatch", Option(args, "--json"));
        report.Head();
        foreach (var row in rows)
            report.Row(row, Middle(results[Key(row)]), Peer(row, rows, results));
        ColdStart.Run(args, report);
        return report.Held ? 0 : 1;
    }

    internal static string? Option(string[] args, string name)
    {
        var at = Array.IndexOf(args, name);
        return at >= 0 && at + 1 < args.Length ? args[at + 1] : null;
    }

    private static IEnumerable<BenchRow> All()
        => typeof(DispatchBench).Assembly.GetTypes()
            .Where(t => t.IsSubclassOf(typeof(BenchRow)) && !t.IsAbstract)
            .Select(t => (BenchRow)Activator.CreateInstance(t, nonPublic: true)!)
            .OrderBy(r => r.Row, StringComparer.Ordinal)
            .ThenBy(r => r.Subject != "Postrider")
            .ThenBy(r => r.Subject, StringComparer.Ordinal);

    private static string Key(BenchRow row) => row.Row + "|" + row.Subject;

    private static int RunCell(string key, bool quick)
    {
        var row = All().Single(r => Key(r) == key);
        var cell = Cell.Measure(row, quick);
        Console.WriteLine(JsonSerializer.Serialize(cell));
        return 0;
    }

    private static Cell InOwnProcess(BenchRow row, bool quick)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardOutput = true };
        foreach (var argument in (string[])["dispatch", "--cell", Key(row)])
            start.ArgumentList.Add(argument);
        if (quick)
            start.ArgumentList.Add("--quick");
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode != 0)
            throw new InvalidOperationException($"{Key(row)} ended with {process.ExitCode.ToString(CultureInfo.InvariantCulture)}.");
        return JsonSerializer.Deserialize<Cell>(output)!;
    }

    private static Cell Middle(List<Cell> cells)
        => cells.OrderBy(c => c.MedianNanoseconds).ElementAt(cells.Count / 2);

    private static (string Name, Cell Cell)? Peer(BenchRow row, List<BenchRow> rows, Dictionary<string, List<Cell>> results)
    {
        foreach (var name in s_peers)
        {
            if (rows.FirstOrDefault(r => r.Row == row.Row && r.Subject == name && r != row) is { } peer)
                return (name, Middle(results[Key(peer)]));
        }

        return null;
    }
}
