using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Reports;
using Postrider.Load.Rows;
using Postrider.Load.Runs;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Tables;

/// <summary>Two servers of a kind with a leaf node connection between them: published at the one, received at the other.</summary>
internal sealed class LeafTable(Options options, RowLog log)
{
    public const string Name = "broker-leaf";

    private const string MirrorRow = "leaf-mirror-128";
    private const int MirrorBytes = 128;
    private const string Origin = "ORIGIN";
    private const string Subject = "origin";

    // The interest of a new subscriber crosses the link in this time.
    private const double InterestSeconds = 0.5;

    private static readonly TimeSpan MirrorLimit = TimeSpan.FromSeconds(120);

    private static readonly (StreamRow Row, bool Up)[] Rows =
    [
        (new("leaf-up-16", "leaf to hub, 16 B", 16, new(2, 2)), true),
        (new("leaf-up-128", "leaf to hub, 128 B", 128, new(2, 2)), true),
        (new("leaf-up-16k", "leaf to hub, 16 KiB", 16 * 1024, new(1.1, 1.1)), true),
        (new("leaf-down-128", "hub to leaf, 128 B", 128, new(2, 2)), false),
    ];

    private static readonly RequestRow Request = new("leaf-request", "request at the leaf, answered at the hub, 128 B", 128, 1, 1, new(1, 1, 1, 1));

    private readonly Sheet _sheet = new(Name, ServerSpec.Ours, ServerSpec.Peer);

    private int Messages => options.Quick ? 200_000 : 1_000_000;

    public IReadOnlyList<ResultLine> Run()
    {
        var pairs = new List<LinkedServers>();
        try
        {
            foreach (var spec in options.Servers.Where(static spec => spec.Attached is null))
                pairs.Add(LinkedServers.Start(spec, options.StoreFolder));
            foreach (var (row, up) in Rows)
                Try(row.Name, () => Measure(row, up, pairs));
            Try(Request.Name, () => MeasureRequests(pairs));
            Try(MirrorRow, () => MeasureMirror(pairs));
        }
        finally
        {
            pairs.ForEach(static pair => pair.Dispose());
        }

        return _sheet.Lines();
    }

    private void Try(string row, Action measure)
    {
        if (options.Wants(row) && !log.Try(row, measure))
            _sheet.Drop(row);
    }

    private void Measure(StreamRow row, bool up, List<LinkedServers> pairs)
    {
        foreach (var pair in pairs)
            Measure(row, up, pair, options.Quick ? 0.25 : 0.5);
        Repeat(pairs, pair => _sheet.Add(row.Name, row.Title, row.PayloadBytes, pair.Spec.Name, Measure(row, up, pair, options.Seconds)));
        Close(row.Name, row.Targets);
    }

    private static StreamResult Measure(StreamRow row, bool up, LinkedServers pair, double seconds)
    {
        var (from, to) = up ? (pair.Leaf, pair.Hub) : (pair.Hub, pair.Leaf);
        using var sockets = new SocketSet(to.Port);
        var subscribers = StreamRun.OpenSubscribers(row, sockets);
        Pause.Seconds(InterestSeconds);
        var cpu = to.CpuNanoseconds;
        var result = StreamRun.Measure(row, from, subscribers, StreamRun.Sid, seconds);
        return result with { ServerCpuNanoseconds = result.ServerCpuNanoseconds + to.CpuNanoseconds - cpu };
    }

    private void MeasureRequests(List<LinkedServers> pairs)
    {
        foreach (var pair in pairs)
            RequestRun.Measure(Request, pair.Leaf, pair.Hub, 0.5);
        Repeat(pairs, pair =>
        {
            var result = RequestRun.Measure(Request, pair.Leaf, pair.Hub, options.Seconds);
            _sheet.Add(Request.Name, Request.Title, Request.PayloadBytes, pair.Spec.Name, result.Stream);
            _sheet.Add(Request.Name, Request.Title, Request.PayloadBytes, Metric.P50, pair.Spec.Name, result.P50);
            _sheet.Add(Request.Name, Request.Title, Request.PayloadBytes, Metric.P99, pair.Spec.Name, result.P99);
        });
        Close(Request.Name, Request.Targets);
    }

    // From the request that makes the mirror until it has everything.
    private void MeasureMirror(List<LinkedServers> pairs)
    {
        foreach (var pair in pairs)
        {
            using var api = new StreamApi(pair.Hub.Port);
            using var frames = PublishFrames.On(Subject, MirrorBytes);
            api.CreateStream(Origin, new { name = Origin, subjects = new[] { Subject }, storage = "memory" });
            PublishRun.Fill(pair.Hub, Origin, frames, Messages);
            api.ExpectMessages(Origin, Messages);
        }

        Repeat(pairs, pair =>
        {
            using var api = new StreamApi(pair.Leaf.Port);
            var (cpu, loadCpu, started) = (pair.CpuNanoseconds, ProcessClock.OwnCpuNanoseconds(), Stopwatch.GetTimestamp());
            api.CreateStream("MIRROR", new { name = "MIRROR", storage = "memory", mirror = new { name = Origin, external = new { api = "$JS.hub.API", deliver = "" } } });
            while (api.FindMessages("MIRROR") != Messages)
            {
                if (Stopwatch.GetElapsedTime(started) > MirrorLimit)
                    throw new LoadException($"The mirror has {api.FindMessages("MIRROR")} of {Messages} messages after {MirrorLimit.TotalSeconds} s.");
                Pause.Milliseconds(5);
            }

            var result = new StreamResult(Messages, Stopwatch.GetElapsedTime(started).TotalSeconds, pair.CpuNanoseconds - cpu, ProcessClock.OwnCpuNanoseconds() - loadCpu);
            _sheet.Add(MirrorRow, $"mirror of {Messages:N0} messages of 128 B at the leaf", MirrorBytes, pair.Spec.Name, result);
            api.DeleteStream("MIRROR");
        });
        Close(MirrorRow, new(2, 2));
    }

    // Each repetition begins with another pair.
    private void Repeat(List<LinkedServers> pairs, Action<LinkedServers> measure)
    {
        for (var repetition = 0; repetition < options.Repeats; repetition++)
        {
            for (var i = 0; i < pairs.Count; i++)
                measure(pairs[(i + repetition) % pairs.Count]);
        }
    }

    private void Close(string row, Targets? targets)
    {
        _sheet.Target(row, targets);
        log.Write(_sheet.Lines(row));
    }
}
