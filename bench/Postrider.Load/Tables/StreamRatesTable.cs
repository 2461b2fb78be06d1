using System.Diagnostics;
using Postrider.Load.Reports;
using Postrider.Load.Rows;
using Postrider.Load.Runs;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Tables;

/// <summary>Publishing to streams and consuming them: servers in turn, medians.</summary>
internal sealed class StreamRatesTable(Options options, RowLog log)
{
    public const string Name = "jetstream";

    private const string Stream = "LOAD";
    private const string Subject = "load.stream";
    private const string Bucket = "KV_LOAD";
    private const string KeyPrefix = "$KV.LOAD.k";

    private static readonly string[] BucketSubjects = ["$KV.LOAD.>"];

    private readonly Sheet _sheet = new(Name, ServerSpec.Ours, ServerSpec.Peer);

    private long FetchMessages => options.Quick ? 100_000 : 500_000;

    private long OrderedMessages => options.Quick ? 300_000 : 1_500_000;

    // A server that compiles as it runs does so in the background: on two cores it takes seconds.
    private double WarmUpSeconds => options.Quick ? 1 : 3;

    public IReadOnlyList<ResultLine> Run()
    {
        var rows = JetStreamRows.All.Where(row => options.Wants(row.Name)).ToArray();
        if (rows.Length == 0)
            return [];

        using var servers = ServerSet.Start(options.Servers.Select(spec => spec.WithStreams()), options.StoreFolder);
        using var apis = new Disposables<StreamApi>();
        foreach (var server in servers.All)
        {
            log.Say($"{server.Name} {server.Version}: process {server.Id}, port {server.Port}");
            apis.Add(new StreamApi(server.Port));
        }

        foreach (var row in rows)
        {
            if (!log.Try(row.Name, () => Measure(row, servers, apis.All)))
                _sheet.Drop(row.Name);
        }

        return _sheet.Lines();
    }

    private void Measure(JetStreamRow row, ServerSet servers, IReadOnlyList<StreamApi> apis)
    {
        using var frames = PublishFrames.On(Subject, row.PayloadBytes);
        switch (row.Work)
        {
            case StreamWork.PublishAsync:
                Repeat(row, servers, (server, seconds) =>
                {
                    var api = apis[servers.IndexOf(server)];
                    CreateStream(api, row.Storage);
                    var result = PublishRun.Measure(server, api, Stream, frames, row.InFlight, seconds);
                    api.DeleteStream(Stream);
                    return (result, null);
                });
                break;
            case StreamWork.PublishSync:
                Repeat(row, servers, (server, seconds) =>
                {
                    var api = apis[servers.IndexOf(server)];
                    CreateStream(api, row.Storage);
                    var result = PublishRun.Ask(server, 1, (_, inbox) => new PublishQuestion(Stream, Subject, row.PayloadBytes, inbox), seconds);
                    api.ExpectMessages(Stream, result.Stream.Messages);
                    api.DeleteStream(Stream);
                    return (result.Stream, result);
                });
                break;
            default:
                Consume(row, servers, apis, frames);
                break;
        }
    }

    private void Consume(JetStreamRow row, ServerSet servers, IReadOnlyList<StreamApi> apis, PublishFrames frames)
    {
        var stream = row.Work == StreamWork.WatchAll ? Bucket : Stream;
        var total = row.Work switch
        {
            StreamWork.WatchAll => JetStreamRows.Keys,
            StreamWork.Fetch => FetchMessages,
            _ => OrderedMessages,
        };
        foreach (var server in servers.All)
        {
            var api = apis[servers.IndexOf(server)];
            if (row.Work == StreamWork.WatchAll)
            {
                // As a bucket is made by the official clients.
                api.CreateStream(Bucket, new
                {
                    name = Bucket,
                    subjects = BucketSubjects,
                    max_msgs_per_subject = 1,
                    discard = "new",
                    allow_rollup_hdrs = true,
                    deny_delete = true,
                    allow_direct = true,
                    storage = row.Storage,
                });
                PublishRun.FillEach(server, Bucket, KeyPrefix, row.PayloadBytes, JetStreamRows.Keys);
            }
            else
            {
                CreateStream(api, row.Storage);
                PublishRun.Fill(server, Stream, frames, total);
            }
        }

        Repeat(row, servers, (server, _) => (ConsumeRun.Measure(row.Work, server, apis[servers.IndexOf(server)], stream, total), null));
        foreach (var api in apis)
            api.DeleteStream(stream);
    }

    private void Repeat(JetStreamRow row, ServerSet servers, Func<ServerProcess, double, (StreamResult Stream, RequestResult? Request)> measure)
    {
        foreach (var server in servers.All)
        {
            for (var started = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(started).TotalSeconds < WarmUpSeconds;)
                measure(server, WarmUpSeconds);
        }

        for (var repetition = 0; repetition < options.Repeats; repetition++)
        {
            foreach (var server in servers.Rotated(repetition))
            {
                var (stream, request) = measure(server, options.Seconds);
                _sheet.Add(row.Name, row.Title, row.PayloadBytes, server.Name, stream);
                if (request is not null)
                {
                    _sheet.Add(row.Name, row.Title, row.PayloadBytes, Metric.P50, server.Name, request.P50);
                    _sheet.Add(row.Name, row.Title, row.PayloadBytes, Metric.P99, server.Name, request.P99);
                }

                _sheet.Add(row.Name, row.Title, null, Metric.Resident, server.Name, server.ResidentBytes / 1e6);
            }
        }

        _sheet.Target(row.Name, Metric.Throughput, Rule.RatioAtLeast, row.Targets?.Throughput);
        _sheet.Target(row.Name, Metric.ServerCpu, Rule.RatioAtLeast, row.Targets?.Cpu);
        _sheet.Target(row.Name, Metric.P50, Rule.RatioAtMost, row.Targets?.P50);
        log.Write(_sheet.Lines(row.Name));
    }

    private static void CreateStream(StreamApi api, string storage)
    {
        // A run that failed half-way left its stream behind.
        if (api.FindMessages(Stream) is not null)
            api.DeleteStream(Stream);
        api.CreateStream(Stream, new { name = Stream, subjects = new[] { Subject }, storage, allow_direct = true });
    }
}
