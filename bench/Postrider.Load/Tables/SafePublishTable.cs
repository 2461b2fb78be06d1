using System.Diagnostics;
using Postrider.Load.Reports;
using Postrider.Load.Runs;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Tables;

/// <summary>Publishing that waits for the disk: one flush for all publishers against one per message.</summary>
internal sealed class SafePublishTable(Options options, RowLog log)
{
    public const string Name = "jetstream-safe";

    private const string Row = "js-safe-64";
    private const string Stream = "SAFE";
    private const string Subject = "safe.stream";
    private const int Publishers = 64;
    private const int PayloadBytes = 128;
    private const double LeastRatio = 5;

    // A disk that says sooner that it is done has a cache behind it: sharing a flush then saves nothing that could be judged.
    private const double LeastFlushMicroseconds = 500;
    private const int Flushes = 200;

    private readonly Sheet _sheet = new(Name, ServerSpec.Ours, ServerSpec.Peer);

    public IReadOnlyList<ResultLine> Run()
    {
        if (options.Wants(Row) && !log.Try(Row, Measure))
            _sheet.Drop(Row);
        return _sheet.Lines();
    }

    private void Measure()
    {
        using var servers = ServerSet.Start(options.Servers.Select(spec => spec.WithConfiguration()), options.StoreFolder, Configure);
        using var apis = new Disposables<StreamApi>();
        foreach (var server in servers.All)
        {
            apis.Add(new StreamApi(server.Port)).CreateStream(Stream, new { name = Stream, subjects = new[] { Subject }, storage = "file" });
            Ask(server, 0.5);
        }

        var before = MeasureFlush();
        var isMeasurable = before >= LeastFlushMicroseconds;
        var title = $"{Publishers} publishers, {PayloadBytes} B" + (isMeasurable ? "" : FormattableString.Invariant($" (not measurable: an fsync takes {before:F0} µs)"));
        for (var repetition = 0; repetition < options.Repeats; repetition++)
        {
            foreach (var server in servers.Rotated(repetition))
            {
                var result = Ask(server, options.Seconds);
                _sheet.Add(Row, title, PayloadBytes, server.Name, result.Stream);
                _sheet.Add(Row, title, PayloadBytes, Metric.P50, server.Name, result.P50);
                _sheet.Add(Row, title, PayloadBytes, Metric.P99, server.Name, result.P99);
            }

            _sheet.Add("js-fsync", "an fsync of 4 KiB more in the same folder, median", null, Metric.DiskFlush, "disk", MeasureFlush());
        }

        if (isMeasurable)
            _sheet.Target(Row, Metric.Throughput, Rule.RatioAtLeast, LeastRatio);
        log.Write(_sheet.Lines());
    }

    private static RequestResult Ask(ServerProcess server, double seconds)
        => PublishRun.Ask(server, Publishers, (_, inbox) => new PublishQuestion(Stream, Subject, PayloadBytes, inbox), seconds);

    private static void Configure(ServerSpec spec, StoreFolder folder)
        => folder.WriteConfiguration($"jetstream {{\n  store_dir: \"{folder.Path}\"\n  sync_interval: {(spec.Name == ServerSpec.Peer ? "always" : "group")}\n}}\n");

    private double MeasureFlush()
    {
        using var folder = new StoreFolder(options.StoreFolder);
        using var file = File.OpenHandle(Path.Combine(folder.Path, "flush"), FileMode.Create, FileAccess.Write);
        var bytes = new byte[4096];
        var ticks = new long[Flushes];
        for (var i = 0; i < Flushes; i++)
        {
            RandomAccess.Write(file, bytes, (long)i * bytes.Length);
            var started = Stopwatch.GetTimestamp();
            RandomAccess.FlushToDisk(file);
            ticks[i] = Stopwatch.GetTimestamp() - started;
        }

        return Percentiles.Microseconds(ticks, 0.5);
    }
}
