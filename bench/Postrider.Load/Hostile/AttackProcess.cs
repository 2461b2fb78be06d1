using System.Diagnostics;
using System.Globalization;
using Postrider.Load.Native;

namespace Postrider.Load.Hostile;

/// <summary>The child process in which <see cref="Attacker"/> runs.</summary>
internal sealed class AttackProcess : IDisposable
{
    private readonly Process _process;
    private readonly Task<string> _output;

    /// <param name="port">The server's port on 127.0.0.1.</param>
    /// <param name="monitoringPort">The port of its monitoring pages.</param>
    /// <param name="options">Seed and number of the clients.</param>
    /// <param name="behaviour">What the name of each behaviour must contain.</param>
    /// <param name="seconds">When they leave.</param>
    public AttackProcess(int port, int monitoringPort, Options options, string behaviour, double seconds)
    {
        var start = new ProcessStartInfo(OwnProgram.Command[0]) { RedirectStandardOutput = true };
        string[] arguments =
        [
            .. OwnProgram.Command.Skip(1), Attacker.Verb, $"{port}", $"{monitoringPort}", $"{options.Seed}", $"{options.Clients}",
            seconds.ToString(CultureInfo.InvariantCulture), behaviour,
        ];
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);
        _process = Process.Start(start)!;
        _output = _process.StandardOutput.ReadToEndAsync();
    }

    public bool HasEnded => _process.HasExited;

    /// <summary>CPU time so far, or null when the process has ended.</summary>
    public long? CpuNanoseconds
    {
        get
        {
            try
            {
                return ProcessClock.CpuNanoseconds(_process.Id);
            }
            catch (LoadException)
            {
                return null;
            }
        }
    }

    /// <summary>The lines of <see cref="AttackTally"/>.</summary>
    public string[] Lines()
    {
        _process.WaitForExit();
        if (_process.ExitCode != 0)
            throw new LoadException($"The hostile clients ended with exit code {_process.ExitCode}.");
        return _output.GetAwaiter().GetResult().Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill();
        _process.Dispose();
    }
}
