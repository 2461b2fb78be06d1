using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Reports;
using Postrider.Load.Runs;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Tables;

/// <summary>Streams with very many messages or subjects: recovery, memory, looking up.</summary>
internal sealed class LargeStreamsTable(Options options, RowLog log)
{
    public const string Name = "jetstream-large";

    private const string Stream = "LARGE";
    private const string Subject = "large.stream";
    private const string SubjectPrefix = "large.subject.";
    private const int PayloadBytes = 128;
    private const int SmallPayloadBytes = 16;

    // Go's server needs at most as long, and half as much memory again is ours.
    private const double MostRecovery = 1;
    private const double MostResident = 1.5;
    private const double MostLatency = 1;

    private static readonly TimeSpan RecoveryLimit = TimeSpan.FromSeconds(300);

    private readonly Sheet _sheet = new(Name, ServerSpec.Ours, ServerSpec.Peer);

    private int Messages => options.Quick ? 1_000_000 : 10_000_000;

    private int Subjects => options.Quick ? 200_000 : 1_000_000;

    private string Shortened => options.Quick ? " (quick: fewer)" : "";

    public IReadOnlyList<ResultLine> Run()
    {
        var recovery = $"js-recover-{Messages / 1_000_000}m";
        var lookUp = $"js-last-of-{Subjects / 1000}k";
        if (options.Wants(recovery) && !log.Try(recovery, () => MeasureRecovery(recovery)))
            _sheet.Drop(recovery);
        if (options.Wants(lookUp) && !log.Try(lookUp, () => MeasureLookUp(lookUp)))
            _sheet.Drop(lookUp);
        return _sheet.Lines();
    }

    private void MeasureRecovery(string row)
    {
        var title = $"{Messages:N0} messages of {PayloadBytes} B in a file stream{Shortened}";
        var folders = new Dictionary<ServerSpec, StoreFolder>();
        try
        {
            foreach (var spec in options.Servers.Where(spec => spec.Attached is null).Select(spec => spec.WithStreams()))
            {
                folders[spec] = new StoreFolder(options.StoreFolder);
                using var server = ServerProcess.Start(spec, folders[spec]);
                log.Say($"{spec.Name} {server.Version}: publishing {Messages:N0} messages");
                using var api = new StreamApi(server.Port);
                using var frames = PublishFrames.On(Subject, PayloadBytes);
                api.CreateStream(Stream, new { name = Stream, subjects = new[] { Subject }, storage = "file" });
                PublishRun.Fill(server, Stream, frames, Messages);
                api.ExpectMessages(Stream, Messages);
                Pause.Seconds(2);
                _sheet.Add(row + "-published", title + ": published", null, Metric.StreamResident, spec.Name, server.ResidentBytes / 1e6);
            }

            for (var repetition = 0; repetition < options.Repeats; repetition++)
            {
                foreach (var spec in folders.Keys.Skip(repetition % folders.Count).Concat(folders.Keys.Take(repetition % folders.Count)).ToArray())
                {
                    Recover(spec, folders[spec], row, title + ": recovered");
                    folders[spec].DeleteIndexes();
                    Recover(spec, folders[spec], row + "-no-index", title + ": recovered without the index");
                }
            }
        }
        finally
        {
            foreach (var folder in folders.Values)
                folder.Dispose();
        }

        foreach (var part in new[] { row + "-published", row, row + "-no-index" })
        {
            _sheet.Target(part, Metric.Seconds, Rule.RatioAtMost, MostRecovery);
            _sheet.Target(part, Metric.StreamResident, Rule.RatioAtMost, MostResident);
            log.Write(_sheet.Lines(part));
        }
    }

    private void Recover(ServerSpec spec, StoreFolder folder, string row, string title)
    {
        var started = Stopwatch.GetTimestamp();
        using var server = ServerProcess.Start(spec, folder);
        using var api = new StreamApi(server.Port);
        while (api.FindMessages(Stream) != Messages)
        {
            if (Stopwatch.GetElapsedTime(started) > RecoveryLimit)
                throw new LoadException($"{spec.Name} has {api.FindMessages(Stream)} of {Messages} messages after {RecoveryLimit.TotalSeconds} s.");
            Pause.Milliseconds(5);
        }

        _sheet.Add(row, title, null, Metric.Seconds, spec.Name, Stopwatch.GetElapsedTime(started).TotalSeconds);
        Pause.Seconds(1);
        _sheet.Add(row, title, null, Metric.StreamResident, spec.Name, server.ResidentBytes / 1e6);
    }

    private void MeasureLookUp(string row)
    {
        var title = $"newest message of a subject of {Subjects:N0}, direct get{Shortened}";
        using var servers = ServerSet.Start(options.Servers.Select(spec => spec.WithStreams()), options.StoreFolder);
        foreach (var server in servers.All)
        {
            log.Say($"{server.Name} {server.Version}: publishing on {Subjects:N0} subjects");
            using var api = new StreamApi(server.Port);
            api.CreateStream(Stream, new { name = Stream, subjects = new[] { SubjectPrefix + "*" }, storage = "file", allow_direct = true });
            PublishRun.FillEach(server, Stream, SubjectPrefix, SmallPayloadBytes, Subjects);
            api.ExpectMessages(Stream, Subjects);
            Ask(server, 0.5);
        }

        for (var repetition = 0; repetition < options.Repeats; repetition++)
        {
            foreach (var server in servers.Rotated(repetition))
            {
                var result = Ask(server, options.Seconds);
                _sheet.Add(row, title, SmallPayloadBytes, server.Name, result.Stream);
                _sheet.Add(row, title, SmallPayloadBytes, Metric.P50, server.Name, result.P50);
                _sheet.Add(row, title, SmallPayloadBytes, Metric.P99, server.Name, result.P99);
                _sheet.Add(row, title, null, Metric.Resident, server.Name, server.ResidentBytes / 1e6);
            }
        }

        _sheet.Target(row, Metric.P99, Rule.RatioAtMost, MostLatency);
        log.Write(_sheet.Lines(row));
    }

    private RequestResult Ask(ServerProcess server, double seconds)
        => PublishRun.Ask(server, 1, (_, inbox) => new LastBySubjectQuestion(Stream, SubjectPrefix, Subjects, SmallPayloadBytes, inbox), seconds);
}
