using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Postrider.Load.Native;
using Postrider.Load.Traffic;

namespace Postrider.Load.Servers;

/// <summary>A running server and what it costs.</summary>
/// <remarks>Started on a free port of 127.0.0.1 with its output discarded; ended by SIGINT, and by SIGKILL when it is not gone in time.</remarks>
internal sealed class ServerProcess : IDisposable
{
    private static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(20);

    // Who keeps streams may read or write all of them down first.
    private static readonly TimeSpan StreamsLimit = TimeSpan.FromSeconds(300);

    private readonly Process? _process;
    private readonly StoreFolder? _store;

    private ServerProcess(ServerSpec spec, int port, int id, Process? process, StoreFolder? store)
    {
        _store = store;
        Spec = spec;
        Port = port;
        Id = id;
        _process = process;
    }

    public ServerSpec Spec { get; }

    public string Name => Spec.Name;

    public int Port { get; }

    public int Id { get; }

    /// <summary>From the start of the process until a connection was served.</summary>
    public TimeSpan Started { get; private set; }

    /// <summary>What the server calls its version in INFO.</summary>
    public string Version { get; private set; } = "";

    public long CpuNanoseconds => ProcessClock.CpuNanoseconds(Id);

    public long ResidentBytes => ProcessClock.ResidentBytes(Id);

    /// <summary>Starts a server, unless it is one that runs already, and waits until it takes connections.</summary>
    /// <param name="spec">Which.</param>
    /// <param name="store">Where it keeps streams; not deleted with the server.</param>
    public static ServerProcess Start(ServerSpec spec, StoreFolder? store = null)
    {
        if (spec.Attached is { } place)
            return new ServerProcess(spec, place.Port, place.Process, null, null) { Version = "attached" };

        var port = FreePort();
        string[] words = [.. spec.Command.Replace("{port}", port.ToString(), StringComparison.Ordinal)
            .Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .Select(word => word.Replace("{store}", store?.Path, StringComparison.Ordinal))];
        var start = new ProcessStartInfo(words[0])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        foreach (var word in words.AsSpan(1))
            start.ArgumentList.Add(word);

        Process process;
        var started = Stopwatch.GetTimestamp();
        try
        {
            process = Process.Start(start)!;
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            throw new LoadException($"{spec.Name} does not start: {e.Message}", e);
        }

        var lastLine = "";
        process.OutputDataReceived += (_, line) => lastLine = line.Data ?? lastLine;
        process.ErrorDataReceived += (_, line) => lastLine = line.Data ?? lastLine;
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();

        var server = new ServerProcess(spec, port, process.Id, process, store);
        try
        {
            server.AwaitListening(started, () => lastLine);
        }
        catch
        {
            server.Dispose();
            throw;
        }

        return server;
    }

    public void Dispose()
    {
        if (_process is null)
            return;

        if (!_process.HasExited)
        {
            _ = Posix.Kill(Id, Posix.SignalTerminate);
            if (!_process.WaitForExit(_store is null ? TimeSpan.FromSeconds(3) : StreamsLimit))
            {
                _ = Posix.Kill(Id, Posix.SignalKill);
                _process.WaitForExit();
            }
        }

        _process.Dispose();
    }

    internal static int FreePort()
    {
        using var probe = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        probe.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)probe.LocalEndPoint!).Port;
    }

    private void AwaitListening(long started, Func<string> lastLine)
    {
        var limit = _store is null ? StartLimit : StreamsLimit;
        while (true)
        {
            if (_process!.HasExited)
                throw new LoadException($"{Name} ended with exit code {_process.ExitCode}: {lastLine()}");

            try
            {
                using var connection = Connection.Open(Port);
                Version = connection.ServerVersion;
                Started = Stopwatch.GetElapsedTime(started);
                return;
            }
            catch (SocketException) when (Stopwatch.GetElapsedTime(started) < limit)
            {
                Pause.Milliseconds(1);
            }
            catch (SocketException e)
            {
                throw new LoadException($"{Name} does not listen on 127.0.0.1:{Port} after {limit.TotalSeconds} s: {lastLine()}", e);
            }
        }
    }
}
