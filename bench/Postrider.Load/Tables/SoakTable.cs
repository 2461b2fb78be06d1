using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Reports;
using Postrider.Load.Rows;
using Postrider.Load.Runs;
using Postrider.Load.Servers;

namespace Postrider.Load.Tables;

/// <summary>Streams, requests and coming and going connections at the same time, for minutes; resident memory must stay flat.</summary>
internal sealed class SoakTable(Options options, RowLog log)
{
    public const string Name = "broker-soak";

    // Of the time: the first fifth fills caches and pools, the second is compared with the last.
    private const double Part = 0.2;

    // Growth beyond a tenth between the two medians is a leak and not the collector's rhythm.
    private const double MostGrowth = 1.1;

    private readonly Sheet _sheet = new(Name, ServerSpec.Ours, ServerSpec.Peer);
    private long _messages;
    private long _requests;
    private long _connections;

    public IReadOnlyList<ResultLine> Run()
    {
        // One server alone on the machine: the table is about its memory over time, not about a rival.
        var spec = options.Servers.FirstOrDefault(server => server.Name == ServerSpec.Ours) ?? options.Servers[0];
        using var server = ServerProcess.Start(spec);
        log.Say($"{server.Name} {server.Version}: process {server.Id}, {options.Minutes} minutes");
        var samples = new List<(double Seconds, double Megabytes)>();
        using var team = new Team();
        team.Start("streams", ct => Repeat(round =>
        {
            var row = CoreRows.Streams[round % CoreRows.Streams.Count];
            Interlocked.Add(ref _messages, StreamRun.Measure(row, server, 2).Messages);
        }, ct));
        team.Start("requests", ct => Repeat(round =>
        {
            var row = CoreRows.Requests[round % CoreRows.Requests.Count];
            Interlocked.Add(ref _requests, RequestRun.Measure(row, server, 2).Stream.Messages);
        }, ct));
        team.Start("connections", ct => Repeat(_ => ComeAndGo(server), ct));

        Sample(server, samples, team);
        team.Stop();
        team.Join();
        Report(server.Name, samples);
        return _sheet.Lines();
    }

    private static void Repeat(Action<int> work, CancellationToken ct)
    {
        for (var round = 0; !ct.IsCancellationRequested; round++)
            work(round);
    }

    private void ComeAndGo(ServerProcess server)
    {
        using var sockets = new SocketSet(server.Port);
        foreach (var connection in sockets.Open(20))
        {
            for (var sid = 1; sid <= 50; sid++)
                connection.Subscribe($"churn.{_connections}.{sid}", $"{sid}", sid % 2 == 0 ? "group" : null);
            for (var sid = 1; sid <= 50; sid += 2)
                connection.Say($"UNSUB {sid}\r\n");
            connection.RoundTrip();
            _connections++;
        }

        Pause.Milliseconds(50);
    }

    private void Sample(ServerProcess server, List<(double Seconds, double Megabytes)> samples, Team team)
    {
        var started = Stopwatch.GetTimestamp();
        var said = 0.0;
        while (Stopwatch.GetElapsedTime(started).TotalMinutes is var minutes && minutes < options.Minutes && !team.Failed)
        {
            samples.Add((minutes * 60, server.ResidentBytes / 1e6));
            if (minutes - said >= 0.5)
            {
                log.Say($"{minutes,5:F1} min  {samples[^1].Megabytes:F1} MB");
                said = minutes;
            }

            Pause.Milliseconds(500);
        }
    }

    private void Report(string server, List<(double Seconds, double Megabytes)> samples)
    {
        var early = Median(samples, Part, 2 * Part);
        var late = Median(samples, 1 - Part, 1);
        var seconds = options.Minutes * 60;
        Add("early", "from one to two fifths of the time (median)", Metric.Resident, early);
        Add("late", "in the last fifth (median)", Metric.Resident, late);
        Add("highest", "highest sample", Metric.Resident, samples.Max(sample => sample.Megabytes));
        Add("messages", "messages delivered", Metric.Sampled, _messages / seconds);
        Add("requests", "requests answered", Metric.Sampled, _requests / seconds);
        Add("connections", "connections opened and closed, 50 subscriptions each", Metric.Sampled, _connections / seconds);
        _sheet.Target("late", Metric.Resident, Rule.ValueAtMost, Math.Round(early * MostGrowth, 1));
        log.Write(_sheet.Lines());

        void Add(string row, string title, Metric metric, double value) => _sheet.Add(row, title, null, metric, server, value);
    }

    private static double Median(List<(double Seconds, double Megabytes)> samples, double from, double to)
    {
        var length = samples[^1].Seconds;
        return Summary.Of(samples.Where(sample => sample.Seconds >= from * length && sample.Seconds <= to * length)
            .Select(sample => sample.Megabytes)).Median;
    }
}
