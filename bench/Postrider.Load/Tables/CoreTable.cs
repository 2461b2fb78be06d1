using Postrider.Load.Reports;
using Postrider.Load.Rows;
using Postrider.Load.Runs;
using Postrider.Load.Servers;

namespace Postrider.Load.Tables;

/// <summary>The main table: every streaming and request row, servers in turn, medians.</summary>
internal sealed class CoreTable(Options options, TextWriter log)
{
    public const string Name = "broker";

    private const double WarmUpSeconds = 0.4;

    private readonly Sheet _sheet = new(Name, ServerSpec.Ours, ServerSpec.Peer);

    public IReadOnlyList<ResultLine> Run()
    {
        var streams = CoreRows.Streams.Where(row => options.Wants(row.Name)).ToArray();
        var requests = CoreRows.Requests.Where(row => options.Wants(row.Name)).ToArray();
        using var servers = ServerSet.Start(options.Servers);
        foreach (var server in servers.All)
        {
            log.WriteLine($"{server.Name} {server.Version}: process {server.Id}, port {server.Port}");
            // A server that compiles as it runs needs traffic of both kinds before any row counts.
            StreamRun.Measure(CoreRows.Streams[3], server, options.Quick ? 1 : 2);
            RequestRun.Measure(CoreRows.Requests[0], server, options.Quick ? 0.5 : 1);
        }

        foreach (var row in streams)
            Measure(row, servers);
        foreach (var row in requests)
            Measure(row, servers);
        return _sheet.Lines();
    }

    private void Measure(StreamRow row, ServerSet servers)
    {
        foreach (var server in servers.All)
        {
            StreamRun.Measure(row, server, WarmUpSeconds);
            Validation.Check(row, server);
        }

        for (var repetition = 0; repetition < options.Repeats; repetition++)
        {
            foreach (var server in servers.Rotated(repetition))
                Record(row.Name, row.Title, row.PayloadBytes, server, StreamRun.Measure(row, server, options.Seconds, options.Messages));
        }

        Close(row.Name, row.Title, row.Targets, servers);
    }

    private void Measure(RequestRow row, ServerSet servers)
    {
        foreach (var server in servers.All)
            RequestRun.Measure(row, server, WarmUpSeconds);

        for (var repetition = 0; repetition < options.Repeats; repetition++)
        {
            foreach (var server in servers.Rotated(repetition))
            {
                var result = RequestRun.Measure(row, server, options.Seconds);
                Record(row.Name, row.Title, row.PayloadBytes, server, result.Stream);
                _sheet.Add(row.Name, row.Title, row.PayloadBytes, Metric.P50, server.Name, result.P50);
                _sheet.Add(row.Name, row.Title, row.PayloadBytes, Metric.P99, server.Name, result.P99);
                _sheet.Add(row.Name, row.Title, row.PayloadBytes, Metric.P999, server.Name, result.P999);
            }
        }

        Close(row.Name, row.Title, row.Targets, servers);
    }

    private void Record(string row, string title, int bytes, ServerProcess server, StreamResult result)
    {
        _sheet.Add(row, title, bytes, Metric.Throughput, server.Name, result.PerSecond);
        _sheet.Add(row, title, bytes, Metric.Megabytes, server.Name, result.PerSecond * bytes / 1e6);
        _sheet.Add(row, title, bytes, Metric.ServerCpu, server.Name, result.ServerNanosecondsPerMessage);
        _sheet.Add(row, title, bytes, Metric.LoadCpu, server.Name, result.LoadNanosecondsPerMessage);
    }

    private void Close(string row, string title, Targets? targets, ServerSet servers)
    {
        foreach (var server in servers.All)
            _sheet.Add(row, title, null, Metric.Resident, server.Name, server.ResidentBytes / 1e6);
        _sheet.Target(row, Metric.Throughput, Rule.RatioAtLeast, targets?.Throughput);
        _sheet.Target(row, Metric.ServerCpu, Rule.RatioAtLeast, targets?.Cpu);
        _sheet.Target(row, Metric.P50, Rule.RatioAtMost, targets?.P50);
        _sheet.Target(row, Metric.P99, Rule.RatioAtMost, targets?.P99);
        foreach (var line in _sheet.Lines(row).GroupBy(line => line.Subject))
        {
            log.WriteLine($"{title,-42} {line.Key,-12} " + string.Join("  ", line.Select(figure =>
                $"{MarkdownTable.Figure(figure.Value, figure.Unit)} {figure.Unit}" + (figure.Ratio is { } ratio ? $" x{ratio:F2}" : ""))));
        }
    }
}
