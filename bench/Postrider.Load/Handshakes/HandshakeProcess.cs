using System.Diagnostics;
using System.Globalization;
using Postrider.Load.Native;

namespace Postrider.Load.Handshakes;

/// <summary>The child process in which <see cref="Handshaker"/> runs.</summary>
internal sealed class HandshakeProcess : IDisposable
{
    private readonly Process _process;
    private readonly Task<string> _output;

    /// <param name="port">The server's port on 127.0.0.1.</param>
    /// <param name="perSecond">Connections a second.</param>
    /// <param name="seconds">When it ends.</param>
    /// <param name="authorityFile">Certificate of the authority, as PEM.</param>
    public HandshakeProcess(int port, double perSecond, double seconds, string authorityFile)
    {
        var start = new ProcessStartInfo(OwnProgram.Command[0]) { RedirectStandardOutput = true };
        string[] arguments =
        [
            .. OwnProgram.Command.Skip(1), Handshaker.Verb, $"{port}", perSecond.ToString(CultureInfo.InvariantCulture),
            seconds.ToString(CultureInfo.InvariantCulture), authorityFile,
        ];
        foreach (var argument in arguments) start.ArgumentList.Add(argument);
        _process = Process.Start(start)!;
        _output = _process.StandardOutput.ReadToEndAsync();
    }

    /// <summary>How many connections there were. Waits for the end.</summary>
    /// <exception cref="LoadException">One was refused.</exception>
    public int Opened()
    {
        _process.WaitForExit();
        if (_process.ExitCode != 0) throw new LoadException($"The connections with TLS ended with exit code {_process.ExitCode}.");
        return int.Parse(_output.GetAwaiter().GetResult(), CultureInfo.InvariantCulture);
    }

    public void Dispose()
    {
        if (!_process.HasExited) _process.Kill();
        _process.Dispose();
    }
}
