using System.Diagnostics;
using System.Text.Json;

namespace Postrider.Benchmarks.Flow;

/// <summary>A cell in a process of its own, so that no subject's profile, pool or heap disturbs another's.</summary>
internal sealed class CellProcess : IDisposable
{
    private readonly Process _process;
    private readonly List<FlowRound> _rounds = [];

    private CellProcess(FlowRow row, Process process)
    {
        Row = row;
        _process = process;
    }

    public FlowRow Row { get; }

    /// <summary>Starts the process and waits until it is warm.</summary>
    public static CellProcess Start(FlowRow row)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!, ["flow", "--cell", row.Key]) { RedirectStandardInput = true, RedirectStandardOutput = true };
        var cell = new CellProcess(row, Process.Start(start)!);
        var answer = cell._process.StandardOutput.ReadLine();
        if (answer != CellWork.Ready)
            throw new InvalidOperationException($"{row.Key} did not get warm: '{answer}'.");
        return cell;
    }

    public void Round()
    {
        _process.StandardInput.WriteLine(CellWork.Go);
        var answer = _process.StandardOutput.ReadLine() ?? throw new InvalidOperationException($"{Row.Key} ended in round {_rounds.Count + 1}.");
        _rounds.Add(JsonSerializer.Deserialize<FlowRound>(answer)!);
    }

    public FlowCell Sum()
    {
        double[] times = [.. _rounds.Select(round => round.Time).Order()];
        double[] latencies = [.. _rounds.Select(round => round.Latency).OfType<double>().Order()];
        double[] bytes = [.. _rounds.Select(round => round.BytesPerItem).Order()];
        return new FlowCell(Row, Median(times), times[0], times[^1], times.Length, Median(bytes), latencies.Length == 0 ? null : Median(latencies));
    }

    public void Dispose()
    {
        // The end of its input ends the process; one that works for ever is ended.
        _process.StandardInput.Close();
        if (!_process.WaitForExit(TimeSpan.FromSeconds(30)))
            _process.Kill();
        _process.Dispose();
    }

    private static double Median(double[] sorted) => sorted[sorted.Length / 2];
}
