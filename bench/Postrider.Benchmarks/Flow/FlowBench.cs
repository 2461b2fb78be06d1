namespace Postrider.Benchmarks.Flow;

/// <summary>The tables of Flow: <c>flow [--quick] [--json FILE] [--write-results FOLDER] [--table NAME] [--row TEXT] [--subject TEXT]</c>.</summary>
/// <remarks>
/// Every cell is a process of its own; those of a group take turns, round after round, so that a busy moment meets all of
/// them. The median of the rounds is shown with the least, and targets are held against medians of the same run. Every
/// operation shows that its work was done. Rivulet, which no package gives, takes part when its assembly was in the
/// folder named by <c>--peers</c>.
/// </remarks>
public static class FlowBench
{
    /// <summary>Runs the tables.</summary>
    /// <param name="args">As in the summary.</param>
    /// <returns>0; whether the targets held is in the rows.</returns>
    public static int Run(string[] args)
    {
        ArgumentNullException.ThrowIfNull(args);
        if (BenchArguments.Option(args, "--cell") is { } key)
        {
            CellWork.Run(All(quick: false).Concat(All(quick: true)).First(row => row.Key == key));
            return 0;
        }
        var quick = args.Contains("--quick");
        var rows = All(quick).Where(row => BenchArguments.Matches(args, "--table", row.Table) && BenchArguments.Matches(args, "--row", row.Row) && BenchArguments.Matches(args, "--subject", row.Subject)).ToList();
        var report = new FlowReport(BenchArguments.Option(args, "--json"));
        report.Head();
        foreach (var group in rows.GroupBy(row => row.Group))
            report.Add(FlowMeasurement.Take([.. group], quick));
        report.End(peerAbsent: Peer() is null);
        if (BenchArguments.Option(args, "--write-results") is { } folder)
            FlowResults.Write(folder, report.Cells, string.Join(' ', args.TakeWhile(arg => arg != "--json")));
        return 0;
    }

    private static IEnumerable<FlowRow> All(bool quick)
    {
        IFlowPeer?[] peers = [new NugetPeers(), Peer()];
        return ((IEnumerable<FlowRow>)[.. CoreRows.All(), .. FeatureRows.All(), .. AdaptiveRows.All(), .. BatchRows.All(quick), .. ErrorRows.All(), .. ScalingRows.All()])
            .Concat(peers.OfType<IFlowPeer>().SelectMany(peer => peer.Rows(quick)))
            .GroupBy(row => (row.Table, row.Row))
            .SelectMany(group => group.OrderBy(row => row.Subject != FlowRow.Ours));
    }

    // Compiled only where its assembly is: found by name.
    private static IFlowPeer? Peer()
        => typeof(FlowBench).Assembly.GetType("Postrider.Benchmarks.Peers.Rivulet.RivuletRows") is { } type ? (IFlowPeer?)Activator.CreateInstance(type) : null;
}
