using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Postrider.Broker;

namespace Postrider.CommandLine.Serving;

/// <summary>Sends a signal to a running server, by process id, by pid file, or to the only one that runs.</summary>
internal static partial class SignalSender
{
    private const int NoSuchProcess = 3;
    private const int NotPermitted = 1;

    /// <summary>Sends the signal that <c>-sl</c> names.</summary>
    /// <param name="command"><c>signal</c>, <c>signal=pid</c> or <c>signal=file</c>.</param>
    /// <param name="program">Name of the processes to look for if no pid is given.</param>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidArguments"/>.</exception>
    internal static void Send(string command, string program)
    {
        var parts = command.Split('=');
        if (parts.Length > 2)
            throw Refuse($"invalid signal parameters: {string.Join('=', parts[2..])}");
        var signal = SignalNumbers.Parse(parts[0]) ?? throw Refuse($"unknown signal \"{parts[0]}\"");
        var pid = parts.Length == 2 && parts[1].Length > 0 ? ReadPid(parts[1]) : OnlyProcess(program);
        if (OperatingSystem.IsWindows())
            throw Refuse("signals are not available on Windows");
        if (Kill(pid, SignalNumbers.Of(signal)) != 0)
            throw Refuse($"signal \"{parts[0]}\" {pid}: {Reason(Marshal.GetLastPInvokeError())}");
    }

    private static int ReadPid(string pidOrFile)
    {
        var text = pidOrFile;
        if (File.Exists(pidOrFile))
            text = File.ReadAllText(pidOrFile).Trim();
        return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var pid) && pid > 0 ? pid : throw Refuse($"invalid pid: {text}");
    }

    private static int OnlyProcess(string program)
    {
        var pids = Process.GetProcessesByName(program).Select(process => process.Id).Where(id => id != Environment.ProcessId).Order().ToList();
        return pids switch
        {
            [var pid] => pid,
            [] => throw Refuse($"no {program} processes running"),
            _ => throw Refuse($"multiple {program} processes running:\n{string.Join('\n', pids)}"),
        };
    }

    private static string Reason(int error) => error switch
    {
        NoSuchProcess => "no such process",
        NotPermitted => "operation not permitted",
        _ => Marshal.GetPInvokeErrorMessage(error),
    };

    private static BrokerException Refuse(string reason) => new(BrokerError.InvalidArguments, reason);

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int Kill(int pid, int signal);
}
