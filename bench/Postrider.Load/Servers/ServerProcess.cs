using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Postrider.Load.Native;
using Postrider.Load.Traffic;

namespace Postrider.Load.Servers;

/// <summary>A running server and what it costs.</summary>
/// <remarks>Started on a free port of 127.0.0.1 with its output discarded; ended by SIGINT, after three seconds by SIGKILL.</remarks>
internal sealed class ServerProcess : IDisposable
{
    private static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(20);

    private readonly Process? _process;

    private ServerProcess(ServerSpec spec, int port, int id, Process? process)
    {
        Spec = spec;
        Port = port;
        Id = id;
        _process = process;
    }

    public ServerSpec Spec { get; }

    public string Name => Spec.Name;

    public int Port { get; }

    public int Id { get; }

    /// <summary>What the server calls its version in INFO.</summary>
    public string Version { get; private set; } = "";

    public long CpuNanoseconds => ProcessClock.CpuNanoseconds(Id);

    public long ResidentBytes => ProcessClock.ResidentBytes(Id);

    public static ServerProcess Start(ServerSpec spec)
    {
        if (spec.Attached is { } place)
            return new ServerProcess(spec, place.Port, place.Process, null) { Version = "attached" };

        var port = FreePort();
        var words = spec.Command.Replace("{port}", port.ToString(), StringComparison.Ordinal)
            .Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var start = new ProcessStartInfo(words[0])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        foreach (var word in words.AsSpan(1))
            start.ArgumentList.Add(word);

        Process process;
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

        var server = new ServerProcess(spec, port, process.Id, process);
        try
        {
            server.AwaitListening(() => lastLine);
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
            _ = Posix.Kill(Id, Posix.SignalInterrupt);
            if (!_process.WaitForExit(TimeSpan.FromSeconds(3)))
            {
                _ = Posix.Kill(Id, Posix.SignalKill);
                _process.WaitForExit();
            }
        }

        _process.Dispose();
    }

    private static int FreePort()
    {
        using var probe = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        probe.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)probe.LocalEndPoint!).Port;
    }

    private void AwaitListening(Func<string> lastLine)
    {
        var started = Stopwatch.GetTimestamp();
        while (true)
        {
            if (_process!.HasExited)
                throw new LoadException($"{Name} ended with exit code {_process.ExitCode}: {lastLine()}");

            try
            {
                using var connection = Connection.Open(Port);
                Version = connection.ServerVersion;
                return;
            }
            catch (SocketException) when (Stopwatch.GetElapsedTime(started) < StartLimit)
            {
                Pause.Milliseconds(5);
            }
            catch (SocketException e)
            {
                throw new LoadException($"{Name} does not listen on 127.0.0.1:{Port} after {StartLimit.TotalSeconds} s: {lastLine()}", e);
            }
        }
    }
}
