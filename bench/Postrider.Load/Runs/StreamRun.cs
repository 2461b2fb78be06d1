using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Rows;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Runs;

/// <summary>Runs a streaming row: fresh connections, one publishing thread, one receiving thread.</summary>
internal static class StreamRun
{
    /// <summary>The sid of every subscriber that <see cref="OpenSubscribers"/> opens.</summary>
    public const string Sid = "1";

    /// <summary>Measures the row.</summary>
    /// <param name="row">What is sent and who listens.</param>
    /// <param name="server">Where to; its CPU time is read around the run.</param>
    /// <param name="seconds">How long the publishers send; what is under way then is still delivered and timed.</param>
    /// <param name="leastMessages">They do not stop before as many are published.</param>
    /// <exception cref="LoadException">Anything lost, too much, or an error frame.</exception>
    public static StreamResult Measure(StreamRow row, ServerProcess server, double seconds, long leastMessages = 0)
    {
        using var sockets = new SocketSet(server.Port, server.Spec.SubscriberUser);
        return Measure(row, server, OpenSubscribers(row, sockets), Sid, seconds, leastMessages);
    }

    /// <summary>Measures the row with subscribers that are connected and subscribed already; they stay open.</summary>
    /// <param name="sid">Any of the sids they chose: all have its length.</param>
    /// <inheritdoc cref="Measure(StreamRow, ServerProcess, double, long)"/>
    public static StreamResult Measure(
        StreamRow row, ServerProcess server, Connection[] subscribers, string sid, double seconds, long leastMessages = 0)
    {
        using var bell = new Doorbell();
        var deliveredBytes = FrameRenderer.Delivered(row, 0, 0, sid).Length;
        var window = new FlowWindow(row, deliveredBytes, bell);
        using var sockets = new SocketSet(server.Port);
        using var publishing = new PublishLoop(sockets.Open(row.Publishers), FrameRenderer.Blocks(row), window, bell);
        using var subscribing = new SubscribeLoop(row, subscribers, window, deliveredBytes);
        using var team = new Team();

        var serverCpu = server.CpuNanoseconds;
        var loadCpu = ProcessClock.OwnCpuNanoseconds();
        var started = Stopwatch.GetTimestamp();
        if (subscribers.Length > 0)
            team.Start("subscribers", subscribing.Run);
        team.Start("publishers", ct =>
        {
            publishing.Run(started + (long)(seconds * Stopwatch.Frequency), leastMessages, ct);
            subscribing.AllSent();
        });
        team.Join();
        serverCpu = server.CpuNanoseconds - serverCpu;
        loadCpu = ProcessClock.OwnCpuNanoseconds() - loadCpu;

        subscribing.ExpectSilence();
        var finished = Math.Max(publishing.Finished, subscribing.Finished);
        return new StreamResult(window.Published * row.CountedPerPublish, Stopwatch.GetElapsedTime(started, finished).TotalSeconds,
            serverCpu, loadCpu);
    }

    public static Connection[] OpenSubscribers(StreamRow row, SocketSet sockets)
    {
        var subscribers = sockets.Open(row.Subscribers);
        for (var i = 0; i < subscribers.Length; i++)
        {
            subscribers[i].Subscribe(row.Subscription(i), Sid, row.QueueGroup);
            subscribers[i].RoundTrip();
        }

        return subscribers;
    }
}
