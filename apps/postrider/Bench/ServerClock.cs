using System.Diagnostics;

namespace Postrider.CommandLine.Bench;

/// <summary>Reads the processor time of a server on this machine.</summary>
internal sealed class ServerClock : IDisposable
{
    private readonly Process? _process;
    private readonly TimeSpan _begin;

    /// <summary>Starts to measure; without a process it measures nothing.</summary>
    internal ServerClock(int? process)
    {
        _process = process is { } id ? Process.GetProcessById(id) : null;
        _begin = _process?.TotalProcessorTime ?? default;
    }

    /// <summary>Whether a process runs whose time can be read.</summary>
    internal static bool IsRunning(int id)
    {
        try
        {
            using var process = Process.GetProcessById(id);
            return !process.HasExited;
        }
        catch (Exception error) when (error is ArgumentException or InvalidOperationException or System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }

    /// <summary>Processor time since the beginning; null without a process.</summary>
    internal TimeSpan? Elapsed()
    {
        _process?.Refresh();
        return _process?.TotalProcessorTime - _begin;
    }

    public void Dispose() => _process?.Dispose();
}
