using System.Diagnostics;

namespace Postrider.Load.Native;

/// <summary>This program, started once more with other arguments; its output is read when it has ended.</summary>
/// <remarks>For output of a few kilobytes: a process that prints more waits until it is read.</remarks>
internal sealed class ChildProcess : IDisposable
{
    private readonly Process _process;

    /// <summary>Starts the process.</summary>
    /// <param name="arguments">Its arguments.</param>
    public ChildProcess(params string[] arguments) => _process = Process.Start(OwnProgram.StartInfo(arguments))!;

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

    /// <summary>Waits for the end of the process and returns its output.</summary>
    /// <param name="who">Subject of the error message.</param>
    /// <exception cref="LoadException">The exit code is not 0.</exception>
    public string ReadOutput(string who)
    {
        var output = _process.StandardOutput.ReadToEnd();
        _process.WaitForExit();
        return _process.ExitCode == 0 ? output : throw new LoadException($"{who} ended with exit code {_process.ExitCode}.");
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill();
        _process.Dispose();
    }
}
