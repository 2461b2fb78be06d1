using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Runs;

/// <summary>Publishes to streams.</summary>
internal static class PublishRun
{
    /// <summary>Publishes with many acknowledgements under way for a time, and compares the stream's count with theirs.</summary>
    public static StreamResult Measure(ServerProcess server, StreamApi api, string stream, PublishFrames frames, int inFlight, double seconds)
    {
        using var sockets = new SocketSet(server.Port);
        using var publishing = new AckedPublishLoop(sockets.Open(1)[0], frames, new AckCheck(stream), inFlight);
        var result = Time(server, started =>
        {
            publishing.Run(started + (long)(seconds * Stopwatch.Frequency), long.MaxValue / frames.FrameBytes);
            return (publishing.Acknowledged, publishing.Finished);
        });
        api.ExpectMessages(stream, publishing.Acknowledged);
        return result;
    }

    /// <summary>Publishes exactly <paramref name="count"/> messages.</summary>
    public static void Fill(ServerProcess server, string stream, PublishFrames frames, long count, int inFlight = 4096)
    {
        using var sockets = new SocketSet(server.Port);
        using var publishing = new AckedPublishLoop(sockets.Open(1)[0], frames, new AckCheck(stream), inFlight);
        publishing.Run(long.MaxValue, count);
    }

    /// <summary>Publishes one message on each numbered subject.</summary>
    public static void FillEach(ServerProcess server, string stream, string prefix, int payloadBytes, int count)
    {
        const int Part = 50_000;
        for (var first = 0; first < count; first += Part)
        {
            using var frames = PublishFrames.OnEach(prefix, payloadBytes, first, Math.Min(Part, count - first));
            Fill(server, stream, frames, frames.Block.Frames);
        }
    }

    /// <summary>Asks with one question under way per client.</summary>
    public static RequestResult Ask(ServerProcess server, int clients, Func<int, string, IQuestion> question, double seconds)
    {
        using var sockets = new SocketSet(server.Port);
        using var asking = new AskLoop(sockets.Open(clients), question);
        var result = Time(server, started =>
        {
            asking.Run(started + (long)(seconds * Stopwatch.Frequency));
            return (asking.Latencies.Length, asking.Finished);
        });
        return new RequestResult(result, Percentiles.Microseconds(asking.Latencies, 0.50), Percentiles.Microseconds(asking.Latencies, 0.99),
            Percentiles.Microseconds(asking.Latencies, 0.999));
    }

    /// <summary>Times work on this thread; it gets the start and returns how many messages it was and when the last was done.</summary>
    public static StreamResult Time(ServerProcess server, Func<long, (long Messages, long Finished)> work)
    {
        var serverCpu = server.CpuNanoseconds;
        var loadCpu = ProcessClock.OwnCpuNanoseconds();
        var started = Stopwatch.GetTimestamp();
        var (messages, finished) = work(started);
        return new StreamResult(messages, Stopwatch.GetElapsedTime(started, finished).TotalSeconds,
            server.CpuNanoseconds - serverCpu, ProcessClock.OwnCpuNanoseconds() - loadCpu);
    }
}
