using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Rows;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Runs;

/// <summary>Runs a request row: all asking connections on one thread, all answering ones on another.</summary>
internal static class RequestRun
{
    /// <summary>Measures the row; every reply is checked to be the answer to its request.</summary>
    /// <exception cref="LoadException">A reply that is missing for ten seconds, or wrong.</exception>
    public static RequestResult Measure(RequestRow row, ServerProcess server, double seconds)
    {
        using var sockets = new SocketSet(server.Port);
        var services = sockets.Open(row.Services);
        foreach (var service in services)
        {
            service.Subscribe(RequestRow.Subject, "1", row.QueueGroup);
            service.RoundTrip();
        }

        using var answering = new ReplyLoop(row, services);
        using var asking = new RequestLoop(row, sockets.Open(row.Clients));
        using var team = new Team();
        team.Start("services", answering.Run);

        var serverCpu = server.CpuNanoseconds;
        var loadCpu = ProcessClock.OwnCpuNanoseconds();
        var started = Stopwatch.GetTimestamp();
        team.Start("clients", ct =>
        {
            asking.Run(started + (long)(seconds * Stopwatch.Frequency), ct);
            answering.Stop();
        });
        team.Join();
        serverCpu = server.CpuNanoseconds - serverCpu;
        loadCpu = ProcessClock.OwnCpuNanoseconds() - loadCpu;

        var latencies = asking.Latencies;
        return new RequestResult(
            new StreamResult(latencies.Length, Stopwatch.GetElapsedTime(started, asking.Finished).TotalSeconds, serverCpu, loadCpu),
            Percentiles.Microseconds(latencies, 0.50),
            Percentiles.Microseconds(latencies, 0.99),
            Percentiles.Microseconds(latencies, 0.999));
    }
}
