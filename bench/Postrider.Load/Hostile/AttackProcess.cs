using System.Globalization;
using Postrider.Load.Native;

namespace Postrider.Load.Hostile;

/// <summary>The child process in which <see cref="Attacker"/> runs.</summary>
/// <param name="port">The server's port on 127.0.0.1.</param>
/// <param name="monitoringPort">The port of its monitoring pages.</param>
/// <param name="options">Seed and number of the clients.</param>
/// <param name="behaviour">What the name of each behaviour must contain.</param>
/// <param name="seconds">When they leave.</param>
internal sealed class AttackProcess(int port, int monitoringPort, Options options, string behaviour, double seconds) : IDisposable
{
    private readonly ChildProcess _process = new(
        Attacker.Verb, $"{port}", $"{monitoringPort}", $"{options.Seed}", $"{options.Clients}", seconds.ToString(CultureInfo.InvariantCulture), behaviour);

    public bool HasEnded => _process.HasEnded;

    /// <inheritdoc cref="ChildProcess.CpuNanoseconds"/>
    public long? CpuNanoseconds => _process.CpuNanoseconds;

    /// <summary>The lines of <see cref="AttackTally"/>.</summary>
    public string[] Lines() => _process.ReadOutput("The process of the hostile clients").Split('\n', StringSplitOptions.RemoveEmptyEntries);

    public void Dispose() => _process.Dispose();
}
