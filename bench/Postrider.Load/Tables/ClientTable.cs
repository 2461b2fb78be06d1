using System.Diagnostics;
using System.Text;
using Postrider.Load.Clients;
using Postrider.Load.Native;
using Postrider.Load.Reports;
using Postrider.Load.Rows;
using Postrider.Load.Runs;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Tables;

/// <summary>Clients beside each other, each in a process of its own against the same server.</summary>
internal sealed class ClientTable(Options options, RowLog log)
{
    public const string Name = "client";

    private static readonly TimeSpan DriverLimit = TimeSpan.FromSeconds(60);

    private static readonly (string Row, string Title, string Mode, int Bytes)[] Rows =
    [
        ("publish-16", "publish, 16 B", "publish", 16),
        ("publish-128", "publish, 128 B", "publish", 128),
        ("publish-16k", "publish, 16 KiB", "publish", 16 * 1024),
        ("subscribe-128", "subscribe with a callback, 128 B", "subscribe", 128),
        ("iterate-128", "subscribe as a stream, 128 B", "iterate", 128),
        ("request-128", "request, 128 B, one at a time", "request", 128),
        ("request-64-128", "request, 128 B, 64 under way", "request-64", 128),
    ];

    private readonly Sheet _sheet = new(Name, ClientSpec.Ours, ClientSpec.Node);

    public IReadOnlyList<ResultLine> Run()
    {
        // Go's server where there is one: both clients were made for it.
        var spec = options.Servers.FirstOrDefault(server => server.Name == ServerSpec.Peer) ?? options.Servers[0];
        var clients = new List<ClientSpec> { ClientSpec.Postrider };
        if (ClientSpec.NatsJs(options.NodeFolder) is { } node)
            clients.Add(node);
        else
            log.Say($"{ClientSpec.Node}: peer absent ({options.NodeFolder} has no node_modules with @nats-io/transport-node)");

        clients.AddRange(PeerClients.Present);
        if (clients.TrueForAll(client => client.Name != ClientSpec.NatsNet))
            log.Say($"{ClientSpec.NatsNet}: peer absent (name a folder with NATS.Client.Core.dll by --peers)");

        using var server = ServerProcess.Start(spec);
        log.Say($"against {server.Name} {server.Version}: process {server.Id}, port {server.Port}");
        foreach (var row in Rows.Where(row => options.Wants(row.Row)))
        {
            if (!log.Try(row.Row, () => Measure(row, clients, server)))
                _sheet.Drop(row.Row);
        }

        return _sheet.Lines();
    }

    private void Measure((string Row, string Title, string Mode, int Bytes) row, List<ClientSpec> clients, ServerProcess server)
    {
        for (var repetition = 0; repetition < options.Repeats; repetition++)
        {
            for (var turn = 0; turn < clients.Count; turn++)
            {
                var client = clients[(turn + repetition) % clients.Count];
                if (client.Lacks.Contains(row.Mode))
                    continue;

                Record(row.Row, row.Title, row.Bytes, client.Name, row.Mode switch
                {
                    "publish" => Drive(client, row.Mode, row.Bytes, server),
                    "subscribe" or "iterate" => Feed(client, row.Mode, row.Bytes, server),
                    _ => Answer(client, row.Mode, row.Bytes, server),
                });
            }
        }

        log.Write(_sheet.Lines(row.Row));
    }

    private DriverResult Drive(ClientSpec client, string mode, int bytes, ServerProcess server)
    {
        using var driver = DriverProcess.Start(client, mode, server.Port, bytes, options.Seconds);
        return DriverResult.Parse(driver.ReadLine(DriverLimit));
    }

    private DriverResult Answer(ClientSpec client, string mode, int bytes, ServerProcess server)
    {
        var row = new RequestRow(mode, mode, bytes, 1, 1, null);
        using var sockets = new SocketSet(server.Port);
        var services = sockets.Open(1);
        services[0].Subscribe(RequestRow.Subject, "1");
        services[0].RoundTrip();
        using var answering = new ReplyLoop(row, services);
        using var team = new Team();
        team.Start("service", answering.Run);
        try
        {
            return Drive(client, mode, bytes, server);
        }
        finally
        {
            answering.Stop();
            team.Join();
        }
    }

    private DriverResult Feed(ClientSpec client, string mode, int bytes, ServerProcess server)
    {
        using var driver = DriverProcess.Start(client, mode, server.Port, bytes, options.Seconds);
        if (driver.ReadLine(DriverLimit) is var answer && answer != DriverProcess.Ready)
            throw new LoadException($"The driver of {client.Name} says '{answer}'.");

        using var bell = new Doorbell();
        using var sockets = new SocketSet(server.Port);
        var counts = sockets.Open(1)[0];
        counts.Subscribe(ClientDriver.CountSubject, "1");
        counts.RoundTrip();
        var window = new CountWindow(bytes + "MSG load.p0 1 \r\n\r\n".Length + 6, bell);
        using var team = new Team();
        team.Start("counts", ct => window.Read(counts, ct));
        try
        {
            // A second of warm-up through the same subscription, then the measured part.
            Publish(window, bell, server, bytes, 1);
            var before = window.Counted;
            var cpu = driver.CpuNanoseconds;
            var started = Stopwatch.GetTimestamp();
            var finished = Publish(window, bell, server, bytes, options.Seconds);
            return new DriverResult
            {
                Messages = window.Counted - before,
                Seconds = Stopwatch.GetElapsedTime(started, finished).TotalSeconds,
                CpuNs = driver.CpuNanoseconds - cpu,
            };
        }
        finally
        {
            team.Stop();
            team.Join();
        }
    }

    // Publishes for the given time and waits until the client has counted all of it; when that was.
    private static long Publish(CountWindow window, Doorbell bell, ServerProcess server, int bytes, double seconds)
    {
        using var sockets = new SocketSet(server.Port);
        var block = Block(bytes);
        using var publishing = new PublishLoop(sockets.Open(1), [block], window, bell);
        publishing.Run(Stopwatch.GetTimestamp() + (long)(seconds * Stopwatch.Frequency), 0, CancellationToken.None);
        var progress = Stopwatch.GetTimestamp();
        var last = window.Counted;
        while (window.Counted < window.Published)
        {
            Pause.Milliseconds(1);
            if (window.Counted is var now && now > last)
                (last, progress) = (now, Stopwatch.GetTimestamp());
            else if (Stopwatch.GetElapsedTime(progress) > TimeSpan.FromSeconds(10))
                throw new LoadException($"The client counted {last} of {window.Published} messages.");
        }

        return window.Counted == window.Published
            ? Stopwatch.GetTimestamp() : throw new LoadException($"The client counted {window.Counted} of {window.Published} messages.");
    }

    // A multiple of what the client acknowledges, so that its last count is the whole.
    private static FrameBlock Block(int bytes)
    {
        var frame = $"PUB {ClientDriver.Subject} {bytes}\r\n{FrameRenderer.Payload(bytes, 0, 0)}\r\n";
        return new FrameBlock(Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat(frame, ClientDriver.AcknowledgeEvery))),
            ClientDriver.AcknowledgeEvery);
    }

    private void Record(string row, string title, int bytes, string client, DriverResult result)
    {
        _sheet.Add(row, title, bytes, Metric.Throughput, client, result.Messages / result.Seconds);
        _sheet.Add(row, title, bytes, Metric.Megabytes, client, result.Messages / result.Seconds * bytes / 1e6);
        _sheet.Add(row, title, bytes, Metric.ClientCpu, client, result.CpuNs / result.Messages);
        if (result.P50Us is { } p50)
            _sheet.Add(row, title, bytes, Metric.P50, client, p50);
        if (result.P99Us is { } p99)
            _sheet.Add(row, title, bytes, Metric.P99, client, p99);
    }
}
