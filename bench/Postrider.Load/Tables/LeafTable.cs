using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Reports;
using Postrider.Load.Rows;
using Postrider.Load.Runs;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Tables;

/// <summary>Two servers of a kind with a leaf node connection or a route between them: published at the one, received at the other.</summary>
internal sealed class LeafTable(Options options, RowLog log)
{
    public const string Name = "broker-leaf";

    private const string MirrorRow = "leaf-mirror-128";
    private const int MirrorBytes = 128;
    private const int Subscriptions = 1_000_000;
    private const string Origin = "ORIGIN";
    private const string Subject = "origin";

    // The interest of a new subscriber crosses the link in this time.
    private const double InterestSeconds = 0.5;

    private static readonly TimeSpan MirrorLimit = TimeSpan.FromSeconds(120);

    private static readonly (StreamRow Row, LinkKind Kind, bool Up)[] Rows =
    [
        (new("leaf-up-16", "leaf to hub, 16 B", 16, new(2, 2)), LinkKind.Leaf, true),
        (new("leaf-up-128", "leaf to hub, 128 B", 128, new(2, 2)), LinkKind.Leaf, true),
        (new("leaf-up-16k", "leaf to hub, 16 KiB", 16 * 1024, new(1.1, 1.1)), LinkKind.Leaf, true),
        (new("leaf-down-16", "hub to leaf, 16 B", 16, new(2, 2)), LinkKind.Leaf, false),
        (new("leaf-down-128", "hub to leaf, 128 B", 128, new(2, 2)), LinkKind.Leaf, false),
        (new("leaf-down-16k", "hub to leaf, 16 KiB", 16 * 1024, new(1.1, 1.1)), LinkKind.Leaf, false),
        (new("leaf-s2-up-16", "leaf to hub, 16 B, compressed", 16, new(2, 2)), LinkKind.CompressedLeaf, true),
        (new("leaf-s2-up-128", "leaf to hub, 128 B, compressed", 128, new(2, 2)), LinkKind.CompressedLeaf, true),
        (new("leaf-s2-up-16k", "leaf to hub, 16 KiB, compressed", 16 * 1024, new(1.1, 1.1)), LinkKind.CompressedLeaf, true),
        (new("leaf-s2-down-16", "hub to leaf, 16 B, compressed", 16, new(2, 2)), LinkKind.CompressedLeaf, false),
        (new("leaf-s2-down-128", "hub to leaf, 128 B, compressed", 128, new(2, 2)), LinkKind.CompressedLeaf, false),
        (new("leaf-s2-down-16k", "hub to leaf, 16 KiB, compressed", 16 * 1024, new(1.1, 1.1)), LinkKind.CompressedLeaf, false),
        (new("route-16", "over a route, 16 B", 16, new(2, 2)), LinkKind.Route, true),
        (new("route-128", "over a route, 128 B", 128, new(2, 2)), LinkKind.Route, true),
        (new("route-16k", "over a route, 16 KiB", 16 * 1024, new(1.1, 1.1)), LinkKind.Route, true),
        (new("route-s2-16", "over a route, 16 B, compressed", 16, new(2, 2)), LinkKind.CompressedRoute, true),
        (new("route-s2-128", "over a route, 128 B, compressed", 128, new(2, 2)), LinkKind.CompressedRoute, true),
        (new("route-s2-16k", "over a route, 16 KiB, compressed", 16 * 1024, new(1.1, 1.1)), LinkKind.CompressedRoute, true),
    ];

    private static readonly (RequestRow Row, LinkKind Kind)[] Requests =
    [
        (new("leaf-request-16", "request at the leaf, answered at the hub, 16 B", 16, 1, 1, new(2, 2, 1, 1)), LinkKind.Leaf),
        (new("leaf-request-128", "request at the leaf, answered at the hub, 128 B", 128, 1, 1, new(2, 2, 1, 1)), LinkKind.Leaf),
        (new("leaf-request-16k", "request at the leaf, answered at the hub, 16 KiB", 16 * 1024, 1, 1, new(1.1, 1.1, 1, 1)), LinkKind.Leaf),
        (new("leaf-s2-request-128", "request at the leaf, answered at the hub, 128 B, compressed", 128, 1, 1, new(2, 2, 1, 1)), LinkKind.CompressedLeaf),
        (new("route-request-16", "request over a route, 16 B", 16, 1, 1, new(2, 2, 1, 1)), LinkKind.Route),
        (new("route-request-128", "request over a route, 128 B", 128, 1, 1, new(2, 2, 1, 1)), LinkKind.Route),
        (new("route-request-16k", "request over a route, 16 KiB", 16 * 1024, 1, 1, new(1.1, 1.1, 1, 1)), LinkKind.Route),
        (new("route-s2-request-128", "request over a route, 128 B, compressed", 128, 1, 1, new(2, 2, 1, 1)), LinkKind.CompressedRoute),
    ];

    private readonly Sheet _sheet = new(Name, ServerSpec.Ours, ServerSpec.Peer);

    private int Messages => options.Quick ? 200_000 : 1_000_000;

    public IReadOnlyList<ResultLine> Run()
    {
        foreach (var kind in Enum.GetValues<LinkKind>())
            Run(kind);
        return _sheet.Lines();
    }

    // Servers of one kind of link at a time, and none where no row asks for them.
    private void Run(LinkKind kind)
    {
        var rows = Rows.Where(row => row.Kind == kind && options.Wants(row.Row.Name)).ToList();
        var requests = Requests.Where(row => row.Kind == kind && options.Wants(row.Row.Name)).ToList();
        var interest = kind switch { LinkKind.Leaf => "leaf-interest", LinkKind.Route => "route-interest", _ => null };
        if (interest is not null)
            Try(interest, () => MeasureInterest(interest, kind));
        if (rows.Count + requests.Count == 0 && (kind != LinkKind.Leaf || !options.Wants(MirrorRow)))
            return;
        var pairs = new List<LinkedServers>();
        try
        {
            foreach (var spec in options.Servers.Where(static spec => spec.Attached is null))
                pairs.Add(LinkedServers.Start(spec, options.StoreFolder, kind));
            foreach (var (row, _, up) in rows)
                Try(row.Name, () => Measure(row, up, pairs));
            foreach (var (row, _) in requests)
                Try(row.Name, () => MeasureRequests(row, pairs));
            if (kind == LinkKind.Leaf)
                Try(MirrorRow, () => MeasureMirror(pairs));
        }
        finally
        {
            pairs.ForEach(static pair => pair.Dispose());
        }
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

    private void MeasureRequests(RequestRow row, List<LinkedServers> pairs)
    {
        foreach (var pair in pairs)
            RequestRun.Measure(row, pair.Leaf, pair.Hub, 0.5);
        Repeat(pairs, pair =>
        {
            var result = RequestRun.Measure(row, pair.Leaf, pair.Hub, options.Seconds);
            _sheet.Add(row.Name, row.Title, row.PayloadBytes, pair.Spec.Name, result.Stream);
            _sheet.Add(row.Name, row.Title, row.PayloadBytes, Metric.P50, pair.Spec.Name, result.P50);
            _sheet.Add(row.Name, row.Title, row.PayloadBytes, Metric.P99, pair.Spec.Name, result.P99);
        });
        Close(row.Name, row.Targets);
    }

    // The time from the first subscription at one server until messages from the other one reach it. Each measurement has servers of its own that run
    // alone: used memory would be used again, and a server is busy for seconds when a million subscriptions end with their connection.
    private void MeasureInterest(string row, LinkKind kind)
    {
        var title = $"{Subscriptions:N0} subscriptions known at the other server ({(kind == LinkKind.Leaf ? "leaf" : "route")})";
        var specs = options.Servers.Where(static spec => spec.Attached is null).ToList();
        for (var repetition = 0; repetition < (options.Quick ? 1 : options.Repeats); repetition++)
        {
            for (var i = 0; i < specs.Count; i++)
            {
                using var pair = LinkedServers.Start(specs[(i + repetition) % specs.Count], options.StoreFolder, kind);
                var before = pair.Hub.ResidentBytes + pair.Leaf.ResidentBytes;
                using var subscriber = Connection.Open(pair.Leaf.Port);
                using var publisher = Connection.Open(pair.Hub.Port);
                var started = Stopwatch.GetTimestamp();
                ManySubscriptions.Subscribe(subscriber, Subscriptions);
                ManySubscriptions.AwaitAtOther(subscriber, publisher, Subscriptions);
                _sheet.Add(row, title, null, Metric.Seconds, pair.Spec.Name, Stopwatch.GetElapsedTime(started).TotalSeconds);
                _sheet.Add(row, title, null, Metric.BytesEach, pair.Spec.Name, (pair.Hub.ResidentBytes + pair.Leaf.ResidentBytes - before) / (double)Subscriptions);
            }
        }

        _sheet.Target(row, Metric.Seconds, Rule.RatioAtMost, 1);
        _sheet.Target(row, Metric.BytesEach, Rule.RatioAtMost, 1);
        log.Write(_sheet.Lines(row));
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
