using System.Diagnostics;
using System.Globalization;
using System.Text;
using Postrider.Load.Native;
using Postrider.Load.Reports;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Tables;

/// <summary>Messages that are scheduled for the same second: storing them, and firing all of them.</summary>
internal sealed class SchedulesTable(Options options, RowLog log)
{
    public const string Name = "jetstream-schedules";

    private const string Stream = "SCHEDULES";
    private const string Fired = "schedules.fired";
    private const string Inbox = "_INBOX.loadgeneratorschedules00";
    private const string Delivered = "_INBOX.loadgeneratorschedules01";

    private static readonly Metric Stored = new("stored ms", "stored after ms", Metric.Order.OursByPeer);
    private static readonly Metric FirstAfter = new("first ms", "first ms after its time");
    private static readonly Metric LastAfter = new("last ms", "last ms after its time", Metric.Order.OursByPeer);

    private static readonly byte[] s_inbox = Encoding.ASCII.GetBytes(Inbox);
    private static readonly string[] s_subjects = ["schedules.>"];
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    private readonly Sheet _sheet = new(Name, ServerSpec.Ours, ServerSpec.Peer);

    public IReadOnlyList<ResultLine> Run()
    {
        foreach (var schedules in new[] { 2_000, 40_000 })
        {
            var row = $"js-schedules-{schedules / 1000}k";
            if (options.Wants(row) && !log.Try(row, () => Measure(row, schedules)))
                _sheet.Drop(row);
        }

        return _sheet.Lines();
    }

    private void Measure(string row, int schedules)
    {
        using var servers = ServerSet.Start(options.Servers.Select(spec => spec.WithStreams()), options.StoreFolder);
        for (var repetition = 0; repetition < options.Repeats; repetition++)
        {
            foreach (var server in servers.Rotated(repetition))
                Measure(row, $"{schedules:N0} messages with a subject each, scheduled for the same second", server, schedules);
        }

        _sheet.Target(row, Stored, Rule.RatioAtMost, 1);
        _sheet.Target(row, LastAfter, Rule.RatioAtMost, 1);
        log.Write(_sheet.Lines(row));
    }

    private void Measure(string row, string title, ServerProcess server, int schedules)
    {
        using var api = new StreamApi(server.Port);
        api.CreateStream(Stream, new { name = Stream, subjects = s_subjects, storage = "file", allow_msg_schedules = true });
        using var connection = Connection.Open(server.Port);
        using var reader = new MessageReader(connection);
        connection.Subscribe(Inbox, "1");
        connection.Subscribe(Delivered, "2");
        connection.RoundTrip();
        api.CreateConsumer(Stream, "fired", new { durable_name = "fired", deliver_subject = Delivered, ack_policy = "none", filter_subject = $"{Fired}.*" });

        // Far enough away for all to be stored before.
        var due = DateTimeOffset.FromUnixTimeSeconds(DateTimeOffset.UtcNow.ToUnixTimeSeconds() + 4 + (schedules / 20_000));
        var frames = Frames(schedules, due);
        var started = Stopwatch.GetTimestamp();
        connection.Say(frames);
        var (stored, fired) = (0, 0);
        while (fired < schedules)
        {
            while (reader.TryNext(out var message))
            {
                if (message.Subject.SequenceEqual(s_inbox))
                {
                    if (message.Payload.IndexOf("\"error\""u8) >= 0)
                        throw new LoadException($"{server.Name} stored {stored} of {schedules} schedules: {Encoding.UTF8.GetString(message.Payload)}");
                    if (++stored == schedules)
                        _sheet.Add(row, title, null, Stored, server.Name, Stopwatch.GetElapsedTime(started).TotalMilliseconds);
                }
                else if (++fired == 1)
                {
                    if (stored < schedules)
                        throw new LoadException($"{server.Name} had stored {stored} of {schedules} schedules when their time came.");
                    _sheet.Add(row, title, null, FirstAfter, server.Name, (DateTimeOffset.UtcNow - due).TotalMilliseconds);
                }
            }

            if (fired < schedules)
                reader.Fill(wait: true);
            if (Stopwatch.GetElapsedTime(started) > s_limit)
                throw new LoadException($"{server.Name} fired {fired} of {schedules} schedules within {s_limit.TotalSeconds} s.");
        }

        _sheet.Add(row, title, null, LastAfter, server.Name, (DateTimeOffset.UtcNow - due).TotalMilliseconds);
        api.DeleteStream(Stream);
    }

    private static byte[] Frames(int schedules, DateTimeOffset due)
    {
        var text = new StringBuilder();
        var time = due.ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture);
        for (var i = 0; i < schedules; i++)
        {
            var headers = $"NATS/1.0\r\nNats-Schedule: @at {time}\r\nNats-Schedule-Target: {Fired}.{i}\r\n\r\n";
            text.Append(CultureInfo.InvariantCulture, $"HPUB schedules.at.{i} {Inbox} {headers.Length} {headers.Length + 1}\r\n{headers}x\r\n");
        }

        return Encoding.ASCII.GetBytes(text.ToString());
    }
}
