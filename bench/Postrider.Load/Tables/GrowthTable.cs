using System.Diagnostics;
using Postrider.Load.Holding;
using Postrider.Load.Native;
using Postrider.Load.Reports;
using Postrider.Load.Rows;
using Postrider.Load.Runs;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Tables;

/// <summary>How throughput and match cost change with the number of connections and subscriptions.</summary>
internal sealed class GrowthTable(Options options, RowLog log)
{
    public const string Name = "broker-growth";

    // Distinct subjects published in turn: far more than any server's cache of recent subjects holds.
    private const int MostSubjects = 1 << 16;

    // Fewer tell nothing about the rate of subscribing or the memory of one.
    private const int LeastSubscriptions = 10_000;

    private static readonly int[] Connections = [1, 100, 10_000];
    private static readonly int[] Subscriptions = [10, 10_000, 1_000_000];

    private readonly Sheet _sheet = new(Name, ServerSpec.Ours, ServerSpec.Peer);

    // Quick: the servers must first be filled with a million subscriptions; the rest of five minutes is for the other tables.
    private int Repeats => options.RepeatsGiven ?? (options.Quick ? 2 : options.Repeats);

    public IReadOnlyList<ResultLine> Run()
    {
        foreach (var count in Connections)
            log.Try($"{count} connections", () => MeasureConnections(count));
        foreach (var count in Subscriptions)
            log.Try($"{count} subscriptions", () => MeasureSubscriptions(count));
        return _sheet.Lines();
    }

    private void MeasureConnections(int count)
    {
        var each = $"each-of-{count}";
        var beside = $"beside-{count}";
        if (!options.Wants(each) && !options.Wants(beside))
            return;

        using var servers = Servers();
        var groups = new List<HolderGroup>();
        try
        {
            foreach (var server in servers.All)
                groups.Add(new HolderGroup(server, count));

            var one = CoreRows.Streams.First(row => row.Name == "one-128");
            Repeat(each, $"128 B to each of {count:N0} connections in turn", Holder.PayloadBytes, servers,
                (server, seconds) => groups[servers.IndexOf(server)].Measure(seconds));
            Repeat(beside, $"1:1, 128 B, beside {count:N0} idle connections", one.PayloadBytes, servers,
                (server, seconds) => StreamRun.Measure(one, server, seconds));
        }
        finally
        {
            groups.ForEach(group => group.Dispose());
        }
    }

    private void MeasureSubscriptions(int count)
    {
        var hit = $"hit-of-{count}";
        var miss = $"miss-of-{count}";
        if (!options.Wants(hit) && !options.Wants(miss))
            return;

        using var servers = Servers();
        using var holders = new Disposables<Connection>();
        foreach (var server in servers.All)
        {
            var resident = server.ResidentBytes;
            var holder = holders.Add(Connection.Open(server.Port));
            var started = Stopwatch.GetTimestamp();
            ManySubscriptions.Subscribe(holder, count);
            if (count < LeastSubscriptions)
                continue;

            var title = $"subscribing {count:N0} times";
            _sheet.Add($"subscribe-{count}", title, null, Metric.Subscribing, server.Name, count / Stopwatch.GetElapsedTime(started).TotalSeconds);
            _sheet.Add($"subscribe-{count}", title, null, Metric.BytesEach, server.Name, (server.ResidentBytes - resident) / (double)count);
        }

        var subjects = Math.Min(count, MostSubjects);
        var hits = new StreamRow(hit, $"1:1, 128 B, {subjects:N0} subjects of {count:N0} subscriptions", 128, null)
        {
            SubjectsPerPublisher = subjects,
            SubjectOf = index => ManySubscriptions.Subject(ManySubscriptions.Scatter(index, count)),
        };
        var misses = new StreamRow(miss, $"publish only, 16 B, no match among {count:N0} subscriptions", 16, null)
        {
            Feed = Feed.None,
            Subscribers = 0,
            SubjectsPerPublisher = MostSubjects,
            SubjectOf = index => $"miss.{ManySubscriptions.Scatter(index, 1_000_000):0000000}",
        };
        log.Write(_sheet.Lines($"subscribe-{count}"));
        Repeat(hit, hits.Title, hits.PayloadBytes, servers,
            (server, seconds) => StreamRun.Measure(hits, server, [holders.All[servers.IndexOf(server)]], ManySubscriptions.Sid(0), seconds));
        Repeat(miss, misses.Title, misses.PayloadBytes, servers, (server, seconds) => StreamRun.Measure(misses, server, seconds));
    }

    private void Repeat(string row, string title, int bytes, ServerSet servers, Func<ServerProcess, double, StreamResult> measure)
    {
        if (!options.Wants(row))
            return;

        foreach (var server in servers.All)
            measure(server, options.Seconds / 2);
        for (var repetition = 0; repetition < Repeats; repetition++)
        {
            foreach (var server in servers.Rotated(repetition))
                _sheet.Add(row, title, bytes, server.Name, measure(server, options.Seconds));
        }

        log.Write(_sheet.Lines(row));
    }

    private ServerSet Servers()
    {
        var servers = ServerSet.Start(options.Servers);
        foreach (var server in servers.All)
            StreamRun.Measure(CoreRows.Streams.First(row => row.Name == "one-128"), server, options.Quick ? 0.5 : 1);
        return servers;
    }
}
