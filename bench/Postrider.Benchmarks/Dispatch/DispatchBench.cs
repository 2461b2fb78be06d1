using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace Postrider.Benchmarks.Dispatch;

/// <summary>The tables of dispatch: <c>dispatch [--quick] [--json FILE] [--row TEXT] [--subject TEXT] [--write-results FOLDER]</c>.</summary>
/// <remarks>Every cell runs in a process of its own, several times in turn with the others; the median of the processes'
/// medians is shown. Peers take part when the program has them: Postrider.Peers, and those of the folder named by <c>--peers</c>.</remarks>
public static class DispatchBench
{
    /// <summary>Runs the tables.</summary>
    /// <param name="args">As in the summary.</param>
    /// <returns>0; whether the targets held is in the rows.</returns>
    public static int Run(string[] args)
    {
        ArgumentNullException.ThrowIfNull(args);
        var quick = args.Contains("--quick");
        if (BenchArguments.Option(args, "--cell") is { } cell)
            return Print(Cell.Measure(Row(cell), quick));
        if (BenchArguments.Option(args, "--cold-cell") is { } cold)
            return Print(Cell.MeasureCold(Row(cold)));
        if (args.Contains("--generate-cell"))
            return Print(Generation.Measure());

        var form = BenchForm.Of(quick);
        var report = new BenchReport(BenchArguments.Option(args, "--json"));
        var rows = BenchRows.All().Where(r => BenchArguments.Matches(args, "--row", r.Row) && BenchArguments.Matches(args, "--subject", r.Subject)).ToList();
        ColdStart.Build(args);
        Warm(rows, form, report);
        Cold([.. rows.Where(r => r.HasCold)], form, report);
        ColdStart.Run(args, form, report);
        if (Generation.IsWanted(args))
            Generation.Run(report);
        report.Close();
        if (BenchArguments.Option(args, "--write-results") is { } folder)
            ResultsSection.Write(folder, report, form);
        return 0;
    }

    private static void Warm(List<BenchRow> rows, BenchForm form, BenchReport report)
    {
        var cells = rows.ToDictionary(Key, _ => new List<Cell>());
        for (var round = 0; round < form.Ours; round++)
        {
            foreach (var row in rows.Where(r => round < form.Peers || r.Subject is BenchLine.Ours or BenchLine.Bare))
                cells[Key(row)].Add(JsonSerializer.Deserialize<Cell>(InOwnProcess("--cell", row, form.IsQuick))!);
        }

        var bare = rows.Where(r => r.Subject == BenchLine.Bare).ToDictionary(r => r.Row, r => Line("warm", r, cells[Key(r)]));
        foreach (var group in rows.GroupBy(r => r.Row))
        {
            foreach (var row in group)
                report.Add(WithTarget(Line("warm", row, cells[Key(row)]), row, bare.GetValueOrDefault(row.Row), row.Limit is { } limit ? bare.GetValueOrDefault(limit.Row) : null));
            foreach (var absent in BenchRows.AbsentPeers(group.Key, group.Select(r => r.Subject)))
                report.Add(new("warm", group.Key, absent, null, 0, 0, "ns", null));
        }
    }

    private static void Cold(List<BenchRow> rows, BenchForm form, BenchReport report)
    {
        foreach (var row in rows)
        {
            var times = Enumerable.Range(0, form.Cold)
                .Select(_ => double.Parse(InOwnProcess("--cold-cell", row, form.IsQuick), CultureInfo.InvariantCulture) / 1000)
                .Order().ToArray();
            var median = times[times.Length / 2];
            report.Add(new("cold", row.Row, row.Subject, median, times[0], (times[^1] - times[0]) / median, "us", null));
        }
    }

    private static BenchLine Line(string table, BenchRow row, List<Cell> cells)
    {
        var medians = cells.Select(c => c.MedianNanoseconds).Order().ToArray();
        var median = medians[medians.Length / 2];
        return new(
            table, row.Row, row.Subject, median, cells.Min(c => c.LeastNanoseconds), (medians[^1] - medians[0]) / median, "ns",
            cells.Min(c => c.Bytes));
    }

    private static BenchLine WithTarget(BenchLine line, BenchRow row, BenchLine? bare, BenchLine? limit)
    {
        var nanoseconds = limit?.Value * row.Limit?.Ratio
            ?? (row.MostNanosecondsOverBare is { } more ? bare?.Value + more : null)
            ?? (row.MostShareOverBare is { } share ? bare?.Value * (1 + share) : null);
        var bytes = row.TargetBytes ?? (row.AllocatesAsBare ? bare?.Allocated : null);
        var words = new List<string>();
        if (row.MostNanosecondsOverBare is not null)
            words.Add(string.Create(CultureInfo.InvariantCulture, $"bare + {row.MostNanosecondsOverBare:0.#} ns"));
        else if (row.MostShareOverBare is not null)
            words.Add(string.Create(CultureInfo.InvariantCulture, $"bare + {row.MostShareOverBare:0%}"));
        else if (nanoseconds is not null)
            words.Add(string.Create(CultureInfo.InvariantCulture, $"{row.Limit!.Ratio:0.##} of \"{row.Limit.Row}\""));
        if (bytes is not null)
            words.Add(row.AllocatesAsBare ? "bare's bytes" : string.Create(CultureInfo.InvariantCulture, $"{bytes:0} B"));
        return line with
        {
            Target = nanoseconds is { } n ? Math.Round(n, 2) : null,
            TargetAllocated = bytes,
            TargetText = words.Count == 0 ? "" : "<= " + string.Join(", ", words),
        };
    }

    private static string Key(BenchRow row) => row.Row + "|" + row.Subject;

    private static BenchRow Row(string key) => BenchRows.All().Single(r => Key(r) == key);

    private static int Print<T>(T value)
    {
        Console.WriteLine(JsonSerializer.Serialize(value));
        Console.Out.Flush();
        Environment.Exit(0); // hosts of peers may keep threads that would hold the process
        return 0;
    }

    private static string InOwnProcess(string option, BenchRow row, bool quick)
    {
        var start = new ProcessStartInfo(row.Program ?? Environment.ProcessPath!) { RedirectStandardOutput = true };
        foreach (var argument in (string[])["dispatch", option, Key(row)])
            start.ArgumentList.Add(argument);
        if (quick)
            start.ArgumentList.Add("--quick");
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? output.TrimEnd().Split('\n')[^1]
            : throw new InvalidOperationException($"{Key(row)} ended with {process.ExitCode.ToString(CultureInfo.InvariantCulture)}.");
    }
}
