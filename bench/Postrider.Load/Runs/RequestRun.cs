using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Rows;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Runs;

/// <summary>Runs a request row: all asking connections on one thread, all answering ones on another.</summary>
internal static class RequestRun
{
    // Where the services are at another server, their interest crosses the link in this time.
    private const double InterestSeconds = 0.5;

    /// <summary>Measures the row; every reply is checked to be the answer to its request.</summary>
    /// <exception cref="LoadException">A reply that is missing for ten seconds, or wrong.</exception>
    public static RequestResult Measure(RequestRow row, ServerProcess server, double seconds) => Measure(row, server, server, seconds);

    /// <summary>Measures the row with clients at one server and services at another.</summary>
    /// <inheritdoc cref="Measure(RequestRow, ServerProcess, double)"/>
    public static RequestResult Measure(RequestRow row, ServerProcess server, ServerProcess other, double seconds)
    {
        using var sockets = new SocketSet(server.Port, server.Spec.SubscriberUser);
        using var elsewhere = new SocketSet(other.Port);
        var services = elsewhere.Open(row.Services);
        foreach (var service in services)
        {
            service.Subscribe(RequestRow.Subject, "1", row.QueueGroup);
            service.RoundTrip();
        }

        if (other != server) Pause.Seconds(InterestSeconds);
        using var answering = new ReplyLoop(row, services);
        using var asking = new RequestLoop(row, sockets.Open(row.Clients));
        using var team = new Team();
        team.Start("services", answering.Run);

        var serverCpu = Cpu();
        var loadCpu = ProcessClock.OwnCpuNanoseconds();
        var started = Stopwatch.GetTimestamp();
        team.Start("clients", ct =>
        {
            asking.Run(started + (long)(seconds * Stopwatch.Frequency), ct);
            answering.Stop();
        });
        team.Join();
        serverCpu = Cpu() - serverCpu;
        loadCpu = ProcessClock.OwnCpuNanoseconds() - loadCpu;

        var latencies = asking.Latencies;
        return new RequestResult(
            new StreamResult(latencies.Length, Stopwatch.GetElapsedTime(started, asking.Finished).TotalSeconds, serverCpu, loadCpu),
            Percentiles.Microseconds(latencies, 0.50),
            Percentiles.Microseconds(latencies, 0.99),
            Percentiles.Microseconds(latencies, 0.999));

        long Cpu() => server.CpuNanoseconds + (other == server ? 0 : other.CpuNanoseconds);
    }
}
