using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Servers;

namespace Postrider.Load.Holding;

/// <summary>A child process of the generator that holds subscribed connections and counts what they receive.</summary>
/// <remarks>Own processes, because thousands of connections need more descriptors than one may have.</remarks>
internal sealed class HolderProcess : IDisposable
{
    private readonly Process _process;
    private readonly string _counterFile;
    private readonly SharedCounter _counter;

    private HolderProcess(Process process, string counterFile)
    {
        _process = process;
        _counterFile = counterFile;
        _counter = new SharedCounter(counterFile);
    }

    public long CpuNanoseconds => ProcessClock.CpuNanoseconds(_process.Id);

    /// <summary>Bytes of messages that its connections have received, in all.</summary>
    public long ReceivedBytes => _counter.Value;

    /// <summary>Starts the process and waits until all its connections are subscribed.</summary>
    /// <param name="server">Where they connect.</param>
    /// <param name="first">Number of the first connection; connection n listens on <see cref="Holder.Subject"/>(n).</param>
    /// <param name="count">How many.</param>
    public static HolderProcess Start(ServerProcess server, int first, int count)
    {
        var counterFile = Path.GetTempFileName();
        File.WriteAllBytes(counterFile, new byte[sizeof(long)]);
        var start = OwnProgram.StartInfo(Holder.Verb, $"{server.Port}", $"{first}", $"{count}", counterFile);
        start.RedirectStandardInput = true;

        var process = new HolderProcess(Process.Start(start)!, counterFile);
        var answer = process._process.StandardOutput.ReadLine();
        if (answer == Holder.Ready)
            return process;

        process.Dispose();
        throw new LoadException($"Holding {count} connections to {server.Name} failed: {answer ?? "the process ended"}.");
    }

    public void Dispose()
    {
        // The end of its input is the holder's sign to leave.
        _process.StandardInput.Close();
        if (!_process.WaitForExit(TimeSpan.FromSeconds(20)))
            _process.Kill();
        _process.Dispose();
        _counter.Dispose();
        File.Delete(_counterFile);
    }
}
