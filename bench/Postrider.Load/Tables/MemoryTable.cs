using Postrider.Load.Holding;
using Postrider.Load.Native;
using Postrider.Load.Reports;
using Postrider.Load.Rows;
using Postrider.Load.Runs;
using Postrider.Load.Servers;

namespace Postrider.Load.Tables;

/// <summary>Resident memory of fresh servers: idle, per idle connection, after the heaviest row and a minute later.</summary>
internal sealed class MemoryTable(Options options, RowLog log)
{
    public const string Name = "broker-memory";

    private const int IdleConnections = 10_000;
    private const double IdleLimitMegabytes = 40;

    // A third of the 49 KiB that an idle subscribed connection costs Go's server.
    private const double ConnectionLimitKibibytes = 49.0 / 3;

    private readonly Sheet _sheet = new(Name, ServerSpec.Ours, ServerSpec.Peer);

    public IReadOnlyList<ResultLine> Run()
    {
        MeasureConnections();
        MeasureAfterLoad();
        return _sheet.Lines();
    }

    private void MeasureConnections()
    {
        const string Row = "idle-connection";
        using var servers = ServerSet.Start(options.Servers);
        foreach (var server in servers.All)
        {
            // One connection and its handshake first: what a server sets up once is not a connection's price.
            using (new HolderGroup(server, 1)) { }

            var before = server.ResidentBytes;
            using var group = new HolderGroup(server, IdleConnections);
            Pause.Seconds(5);
            _sheet.Add(Row, $"an idle subscribed connection of {IdleConnections:N0}", null, Metric.KibibytesEach, server.Name,
                (server.ResidentBytes - before) / 1024.0 / IdleConnections);
        }

        _sheet.Target(Row, Metric.KibibytesEach, Rule.ValueAtMost, Math.Round(ConnectionLimitKibibytes, 1));
        log.Write(_sheet.Lines(Row));
    }

    private void MeasureAfterLoad()
    {
        using var servers = ServerSet.Start(options.Servers);
        Pause.Seconds(2);
        var idle = Take("idle", "idle", servers);
        _sheet.Target("idle", Metric.Resident, Rule.ValueAtMost, IdleLimitMegabytes);
        log.Write(_sheet.Lines("idle"));

        var heaviest = CoreRows.Streams.First(row => row.Name == CoreRows.Heaviest);
        foreach (var server in servers.All)
        {
            StreamRun.Measure(heaviest, server, options.Quick ? 2 : 10);
            _sheet.Add("heaviest", $"right after {heaviest.Title}", null, Metric.Resident, server.Name, Megabytes(server));
        }

        log.Write(_sheet.Lines("heaviest"));
        log.Say("a minute of silence");
        Pause.Seconds(60);
        var settled = Take("settled", "a minute later", servers);
        if (idle.TryGetValue(ServerSpec.Ours, out var ours))
        {
            var limit = Math.Max(1.5 * ours, settled.GetValueOrDefault(ServerSpec.Peer));
            _sheet.Target("settled", Metric.Resident, Rule.ValueAtMost, Math.Round(limit, 1));
        }

        log.Write(_sheet.Lines("settled"));
    }

    private Dictionary<string, double> Take(string row, string title, ServerSet servers)
    {
        var figures = servers.All.ToDictionary(server => server.Name, Megabytes);
        foreach (var (server, figure) in figures)
            _sheet.Add(row, title, null, Metric.Resident, server, figure);
        return figures;
    }

    private static double Megabytes(ServerProcess server) => server.ResidentBytes / 1e6;
}
