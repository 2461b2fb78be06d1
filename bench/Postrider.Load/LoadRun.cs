using Postrider.Load.Clients;
using Postrider.Load.Hostile;
using Postrider.Load.Reports;
using Postrider.Load.Rows;
using Postrider.Load.Servers;
using Postrider.Load.Tables;

namespace Postrider.Load;

/// <summary>One call of the program: the tables that were asked for, then their results wherever they shall go.</summary>
internal sealed class LoadRun(Options options, TextWriter output, TextWriter progress)
{
    public int Run()
    {
        if (options.Verb is "broker" or "soak" or "client" or "jetstream" or "hostile" or "start" && options.Servers.Count == 0)
            throw new LoadException("No server to measure: give --postrider PATH, --go PATH or --server NAME=COMMAND.");
        if (options.ResultsFolder is not null && options.Rows.Count > 0)
            throw new LoadException("--write-results replaces whole tables; it does not go with --row.");

        var log = new RowLog(progress);
        switch (options.Verb)
        {
            case "help":
                output.WriteLine(Options.Usage);
                return 0;
            case "rows":
                foreach (var row in CoreRows.Streams)
                    output.WriteLine($"{row.Name,-20} {row.Title}");
                foreach (var row in CoreRows.Requests)
                    output.WriteLine($"{row.Name,-20} {row.Title}");
                foreach (var row in JetStreamRows.All)
                    output.WriteLine($"{row.Name,-20} {row.Title}");
                return 0;
            case "broker":
                return Report(options.Tables.Select(table => (Name(table), Measure(table, log))).ToArray(), log);
            case "jetstream":
                return Report(options.Tables.Select(table => (Name(table), Measure(table, log))).ToArray(), log);
            case "client":
                return Report([(ClientTable.Name, Measure("client", log))], log);
            case "soak":
                return Report([(SoakTable.Name, Measure("soak", log))], log);
            case "start":
                return Report([(StartTable.Name, Measure("start", log))], log);
            case "hostile":
                return Report([(HostileTable.Name, Measure("hostile", log))], log);
            default:
                progress.WriteLine(Options.Usage);
                return 2;
        }
    }

    private static string Name(string table) => table switch
    {
        "core" => CoreTable.Name,
        "memory" => MemoryTable.Name,
        "growth" => GrowthTable.Name,
        "tls" => TlsTable.Name,
        "leaf" => LeafTable.Name,
        "settings" => CoreTable.Settings,
        "soak" => SoakTable.Name,
        "rates" => StreamRatesTable.Name,
        "large" => LargeStreamsTable.Name,
        "safe" => SafePublishTable.Name,
        "schedules" => SchedulesTable.Name,
        _ => throw new LoadException($"No table '{table}': core, memory, growth, settings, tls, leaf, soak, rates, large, safe, schedules."),
    };

    private IReadOnlyList<ResultLine> Measure(string table, RowLog log)
    {
        log.Say($"== {table}");
        return table switch
        {
            "core" => new CoreTable(options, log).Run(),
            "memory" => new MemoryTable(options, log).Run(),
            "growth" => new GrowthTable(options, log).Run(),
            "tls" => new TlsTable(options, log).Run(),
            "leaf" => new LeafTable(options, log).Run(),
            "settings" =>
            [
                .. new CoreTable(options, log, Setting.Permissions).Run(),
                .. new CoreTable(options, log, Setting.Accounts).Run(),
                .. new WebSocketTable(options, log).Run(),
            ],
            "client" => new ClientTable(options, log).Run(),
            "rates" => new StreamRatesTable(options, log).Run(),
            "large" => new LargeStreamsTable(options, log).Run(),
            "safe" => new SafePublishTable(options, log).Run(),
            "schedules" => new SchedulesTable(options, log).Run(),
            "hostile" => new HostileTable(options, log).Run(),
            "start" => new StartTable(options, log).Run(),
            _ => new SoakTable(options, log).Run(),
        };
    }

    private int Report(IReadOnlyList<(string Table, IReadOnlyList<ResultLine> Lines)> tables, RowLog log)
    {
        ResultLine[] all = [.. tables.SelectMany(table => table.Lines)];
        foreach (var (table, lines) in tables)
        {
            output.WriteLine($"\n{table}");
            foreach (var part in MarkdownTable.Parts(lines))
                output.WriteLine(MarkdownTable.Print(part));
        }

        output.WriteLine(ResultsSection.Missed(all));
        if (options.JsonFile is { } file)
            File.WriteAllLines(file, all.Select(line => line.ToJson()));
        if (options.ResultsFolder is { } folder)
        {
            var peers = options.Verb == "client" && ClientSpec.NatsJs(options.NodeFolder) is { } node ? [$"{node.Name} {node.Version}"] : Array.Empty<string>();
            var versions = string.Join(", ", options.Servers.Select(Version).Concat(peers));
            (options.Verb switch
            {
                "client" => ResultsSection.Client(folder),
                "jetstream" => ResultsSection.JetStream(folder),
                _ => ResultsSection.Broker(folder),
            }).Replace(
                [.. tables.Select(table => (About.Now(table.Table, versions, options, TimeProvider.System), table.Lines))]);
        }

        foreach (var failure in log.Failures)
            output.WriteLine($"No figures: {failure}");
        return log.Failures.Count == 0 ? 0 : 1;
    }

    private static string Version(ServerSpec spec)
    {
        using var server = ServerProcess.Start(spec);
        return $"{spec.Name} {server.Version}";
    }
}
