namespace Postrider.Benchmarks.Flow;

/// <summary>One cell's rounds, taken by one or several processes.</summary>
/// <remarks>Where a loop's code lies in memory is drawn anew by every process and worth a nanosecond or two: of several
/// processes the middle one counts.</remarks>
internal sealed class CellRun : IDisposable
{
    private readonly FlowRow _row;
    private readonly List<CellProcess> _processes = [];
    private readonly List<FlowRound> _rounds = [];

    /// <summary>Starts the processes and waits until they are warm.</summary>
    public CellRun(FlowRow row, int processes)
    {
        _row = row;
        for (var i = 0; i < processes; i++)
            _processes.Add(CellProcess.Start(row));
    }

    public void Round()
    {
        FlowRound[] taken = [.. _processes.Select(process => process.Round()).OrderBy(round => round.Time)];
        _rounds.Add(taken[taken.Length / 2]);
    }

    public FlowCell Sum()
    {
        double[] times = [.. _rounds.Select(round => round.Time)];
        double[] latencies = [.. _rounds.Select(round => round.Latency).OfType<double>()];
        return new FlowCell(_row, times, FlowCell.MedianOf(_rounds.Select(round => round.BytesPerItem)), latencies.Length == 0 ? null : FlowCell.MedianOf(latencies));
    }

    public void Dispose()
    {
        foreach (var process in _processes)
            process.Dispose();
    }
}
