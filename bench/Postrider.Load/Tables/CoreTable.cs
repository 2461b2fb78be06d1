using Postrider.Load.Reports;
using Postrider.Load.Rows;
using Postrider.Load.Runs;
using Postrider.Load.Servers;

namespace Postrider.Load.Tables;

/// <summary>The main table: every streaming and request row, servers in turn, medians; or these rows under a setting.</summary>
internal sealed class CoreTable(Options options, RowLog log, Setting? setting = null)
{
    public const string Name = "broker";
    public const string Settings = "broker-settings";

    private readonly Sheet _sheet = new(setting is null ? Name : Settings, ServerSpec.Ours, ServerSpec.Peer);

    private double WarmUpSeconds => options.Quick ? 0.25 : 0.5;

    public IReadOnlyList<ResultLine> Run()
    {
        var streams = CoreRows.Streams.Select(row => setting?.Of(row) ?? row).Where(row => options.Wants(row.Name)).ToArray();
        var requests = CoreRows.Requests.Select(row => setting?.Of(row) ?? row).Where(row => options.Wants(row.Name)).ToArray();
        using var servers = Start();
        foreach (var server in servers.All)
        {
            log.Say($"{server.Name} {server.Version}: process {server.Id}, port {server.Port}");
            // A server that compiles as it runs needs traffic of both kinds before any row counts.
            StreamRun.Measure(CoreRows.Streams.First(row => row.Name == "one-128"), server, options.Quick ? 1 : 2);
            RequestRun.Measure(CoreRows.Requests[0], server, options.Quick ? 0.5 : 1);
        }

        foreach (var row in streams)
            Try(row.Name, () => Measure(row, servers));
        foreach (var row in requests)
            Try(row.Name, () => Measure(row, servers));
        return _sheet.Lines();
    }

    private ServerSet Start()
    {
        if (setting is null) return ServerSet.Start(options.Servers);
        return ServerSet.Start(
            options.Servers.Select(spec => spec.WithConfiguration() with { SubscriberUser = setting.SubscriberUser }), options.StoreFolder,
            (_, folder) => folder.WriteConfiguration(setting.Configuration));
    }

    private void Try(string row, Action measure)
    {
        if (!log.Try(row, measure))
            _sheet.Drop(row);
    }

    private void Measure(StreamRow row, ServerSet servers)
    {
        foreach (var server in servers.All)
        {
            StreamRun.Measure(row, server, WarmUpSeconds);
            Validate(row, server);
        }

        for (var repetition = 0; repetition < options.Repeats; repetition++)
        {
            foreach (var server in servers.Rotated(repetition))
            {
                _sheet.Add(row.Name, row.Title, row.PayloadBytes, server.Name, StreamRun.Measure(row, server, options.Seconds, options.Messages));
                AddResident(row.Name, row.Title, server);
            }
        }

        Close(row.Name, row.Targets);
    }

    // Ours must be right at once. A peer's failure is said, and its row is worth a second look before it is given up.
    private void Validate(StreamRow row, ServerProcess server)
    {
        try
        {
            Validation.Check(row, server);
        }
        catch (LoadException e) when (server.Name != ServerSpec.Ours)
        {
            log.Say($"{server.Name}, validating once more: {e.Message}");
            Validation.Check(row, server);
        }
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
                _sheet.Add(row.Name, row.Title, row.PayloadBytes, server.Name, result.Stream);
                _sheet.Add(row.Name, row.Title, row.PayloadBytes, Metric.P50, server.Name, result.P50);
                _sheet.Add(row.Name, row.Title, row.PayloadBytes, Metric.P99, server.Name, result.P99);
                _sheet.Add(row.Name, row.Title, row.PayloadBytes, Metric.P999, server.Name, result.P999);
                AddResident(row.Name, row.Title, server);
            }
        }

        Close(row.Name, row.Targets);
    }

    private void AddResident(string row, string title, ServerProcess server)
        => _sheet.Add(row, title, null, Metric.Resident, server.Name, server.ResidentBytes / 1e6);

    private void Close(string row, Targets? targets)
    {
        _sheet.Target(row, targets);
        log.Write(_sheet.Lines(row));
    }
}
