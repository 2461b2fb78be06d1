using System.Globalization;
using System.Text.Json;

namespace Postrider.Benchmarks.Flow;

/// <summary>The tables of Flow: <c>flow [--quick] [--json FILE] [--table NAME] [--row TEXT] [--subject TEXT]</c>.</summary>
/// <remarks>
/// The subjects of a row take turns in one process, round after round, so that a busy moment meets all of them; the
/// median of the rounds is shown with the least, and targets are held against ratios of medians in the same run. Rivulet,
/// which no package gives, takes part when its assembly was in the folder named by <c>--peers</c>.
/// </remarks>
public static class FlowBench
{
    private static readonly JsonSerializerOptions JsonFormat = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower };

    /// <summary>Runs the tables.</summary>
    /// <param name="args">As in the summary.</param>
    /// <returns>0; whether the targets held is in the rows.</returns>
    public static int Run(string[] args)
    {
        ArgumentNullException.ThrowIfNull(args);
        var quick = args.Contains("--quick");
        var rows = All(quick).Where(row => Matches(args, "--table", row.Table) && Matches(args, "--row", row.Row) && Matches(args, "--subject", row.Subject)).ToList();
        if (Option(args, "--json") is { } file)
            File.WriteAllText(file, "");
        Console.WriteLine($"{"row",-46} {"subject",-20} {"median",10} {"least",10}  unit  {"B/item",8} {"x ours",7}  target");
        foreach (var group in rows.GroupBy(row => (row.Table, row.Row)))
            Measure([.. group], quick, Option(args, "--json"), s_measured);
        if (Peer() is null)
            Console.WriteLine("Rivulet: peer absent (name the folder of its assembly: ./dev bench flow --peers FOLDER)");
        return 0;
    }

    private static readonly Dictionary<string, double> s_measured = [];

    private static IEnumerable<FlowRow> All(bool quick)
    {
        IFlowPeer?[] peers = [new NugetPeers(), Peer()];
        return ((IEnumerable<FlowRow>)[.. CoreRows.All(), .. FeatureRows.All(), .. BatchRows.All(), .. ErrorRows.All(), .. ScalingRows.All(quick)])
            .Concat(peers.OfType<IFlowPeer>().SelectMany(peer => peer.Rows(quick)))
            .GroupBy(row => (row.Table, row.Row))
            .SelectMany(group => group.OrderBy(row => row.Subject != FlowRow.Ours));
    }

    // Compiled only where its assembly is: found by name.
    private static IFlowPeer? Peer()
        => typeof(FlowBench).Assembly.GetType("Postrider.Benchmarks.Peers.Rivulet.RivuletRows") is { } type ? (IFlowPeer?)Activator.CreateInstance(type) : null;

    private static void Measure(List<FlowRow> rows, bool quick, string? json, Dictionary<string, double> ours)
    {
        var cells = FlowMeasurement.Take(rows, quick);
        var our = cells[0].Row.Subject == FlowRow.Ours ? cells[0] : null;
        if (our is not null)
            ours[our.Row.Row] = our.Median;
        foreach (var cell in cells)
        {
            var target = FlowTargets.All.Where(t => t.Row == cell.Row.Row && cell.Row.Subject == FlowRow.Ours).Select(t => Held(t, cell, cells, ours)).ToList();
            var ratio = our is null || ReferenceEquals(cell, our) ? (double?)null : cell.Median / our.Median;
            var unit = cell.Row.IsWaiting ? "ms" : "ns";
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{cell.Row.Row,-46} {cell.Row.Subject,-20} {cell.Median,10:0.00} {cell.Least,10:0.00}  {unit,-4}  {cell.BytesPerItem,8:0.0} {ratio,7:0.00}  {string.Join("; ", target.Select(t => t.Text))}"));
            if (json is null)
                continue;
            var peer = cells.FirstOrDefault(c => c.Row.Subject != FlowRow.Ours && c.Row.Subject == FlowTargets.PeerOf(cell.Row.Row)) ?? cells.FirstOrDefault(c => c.Row.Subject != FlowRow.Ours);
            var isOurs = cell.Row.Subject == FlowRow.Ours;
            File.AppendAllText(json, JsonSerializer.Serialize(new
            {
                Table = cell.Row.Table,
                Row = cell.Row.Row,
                Subject = cell.Row.Subject,
                Value = Math.Round(cell.Median, 3),
                Unit = unit,
                Spread = Math.Round((cell.Most - cell.Least) / cell.Median, 3),
                Peer = isOurs ? peer?.Row.Subject : null,
                PeerValue = isOurs && peer is not null ? Math.Round(peer.Median, 3) : (double?)null,
                Ratio = isOurs && peer is not null ? Math.Round(peer.Median / cell.Median, 3) : (double?)null,
                Target = target.Count == 0 ? null : string.Join("; ", target.Select(t => t.Text)),
                Holds = target.Count == 0 ? (bool?)null : target.TrueForAll(t => t.Holds),
            }, JsonFormat) + "\n");
            File.AppendAllText(json, JsonSerializer.Serialize(new
            {
                Table = cell.Row.Table,
                Row = cell.Row.Row + ", allocated",
                Subject = cell.Row.Subject,
                Value = Math.Round(cell.BytesPerItem, 1),
                Unit = "B/item",
            }, JsonFormat) + "\n");
        }
    }

    private static (string Text, bool Holds) Held(FlowTarget target, FlowCell cell, List<FlowCell> cells, Dictionary<string, double> ours)
    {
        double? rival = target.BaseRow is { } baseRow
            ? ours.TryGetValue(baseRow, out var value) ? value : null
            : cells.FirstOrDefault(c => c.Row.Subject == target.Peer)?.Median;
        if (rival is not { } other)
            return ($"{target.Peer ?? target.BaseRow}: peer absent", true);
        var reached = target.IsRatio ? cell.Median / other : cell.Median - other;
        var holds = reached <= target.Most;
        var name = target.Peer ?? target.BaseRow;
        var verdict = holds ? "held" : "MISSED";
        var text = target.IsRatio
            ? string.Create(CultureInfo.InvariantCulture, $"{reached:0.###} of {name} (<= {target.Most:0.###}) {verdict}")
            : string.Create(CultureInfo.InvariantCulture, $"{reached:+0.0;-0.0} ns on {name} (<= {target.Most:0.#}) {verdict}");
        return (text, holds);
    }

    private static bool Matches(string[] args, string name, string value)
        => Option(args, name) is not { } text || value.Contains(text, StringComparison.OrdinalIgnoreCase);

    private static string? Option(string[] args, string name)
    {
        var at = Array.IndexOf(args, name);
        return at >= 0 && at + 1 < args.Length ? args[at + 1] : null;
    }
}
