using System.Diagnostics;
using System.Globalization;
using Postrider.Load.Native;

namespace Postrider.Load.Clients;

/// <summary>A running driver of a client; see <see cref="ClientDriver"/> for what is said between the two.</summary>
internal sealed class DriverProcess : IDisposable
{
    public const string Ready = "ready";

    private readonly Process _process;
    private readonly string _name;

    private DriverProcess(Process process, string name)
    {
        _process = process;
        _name = name;
    }

    public long CpuNanoseconds => ProcessClock.CpuNanoseconds(_process.Id);

    public static DriverProcess Start(ClientSpec client, string mode, int port, int bytes, double seconds)
    {
        var start = new ProcessStartInfo(client.Command[0])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        string[] arguments = [.. client.Command.AsSpan(1), mode, $"{port}", $"{bytes}", seconds.ToString(CultureInfo.InvariantCulture)];
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);

        try
        {
            return new DriverProcess(Process.Start(start)!, client.Name);
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            throw new LoadException($"{client.Name} does not start: {e.Message}", e);
        }
    }

    /// <summary>The next line the driver prints; it has the given time.</summary>
    public string ReadLine(TimeSpan limit)
    {
        var line = _process.StandardOutput.ReadLineAsync();
        if (!line.Wait(limit))
            throw new LoadException($"The driver of {_name} said nothing for {limit.TotalSeconds} s.");

        return line.Result ?? throw new LoadException($"The driver of {_name} ended before it was done.");
    }

    public void Dispose()
    {
        try
        {
            _process.StandardInput.WriteLine();
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended already and its pipe with it; there is nothing left to tell it.
        }

        if (!_process.WaitForExit(TimeSpan.FromSeconds(5)))
        {
            _process.Kill();
            _process.WaitForExit();
        }

        _process.Dispose();
    }
}
