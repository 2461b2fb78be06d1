using System.Diagnostics;
using System.Text.Json;

namespace Postrider.Benchmarks.Flow;

/// <summary>A cell in a process of its own, so that no subject's profile, pool or heap disturbs another's.</summary>
internal sealed class CellProcess : IDisposable
{
    private readonly FlowRow _row;
    private readonly Process _process;
    private int _rounds;

    private CellProcess(FlowRow row, Process process)
    {
        _row = row;
        _process = process;
    }

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

    public FlowRound Round()
    {
        _process.StandardInput.WriteLine(CellWork.Go);
        var answer = _process.StandardOutput.ReadLine() ?? throw new InvalidOperationException($"{_row.Key} ended in round {_rounds + 1}.");
        _rounds++;
        return JsonSerializer.Deserialize<FlowRound>(answer)!;
    }

    public void Dispose()
    {
        // The end of its input ends the process; one that works for ever is ended.
        _process.StandardInput.Close();
        if (!_process.WaitForExit(TimeSpan.FromSeconds(30)))
            _process.Kill();
        _process.Dispose();
    }
}
