using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using Postrider.Load.Handshakes;
using Postrider.Load.Native;
using Postrider.Load.Reports;
using Postrider.Load.Rows;
using Postrider.Load.Runs;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Tables;

/// <summary>Core rows over TLS, and what an idle TLS connection costs; every server with the same certificate settings.</summary>
internal sealed class TlsTable(Options options, RowLog log)
{
    public const string Name = "broker-tls";

    private const string IdleRow = "tls-idle-connection";
    private const int IdleConnections = 1_000;
    private const double IdleLimitKibibytes = 44;
    private const string AcceptRow = "tls-accept";
    private const double AcceptedPerSecond = 1_000;
    private const double LongestP99 = 2;

    // Time until the child process opens connections at its full rate.
    private const double StartSeconds = 1;

    private static readonly Metric Accepted = new("new TLS connections/s", "new TLS connections/s", Metric.Order.OursByPeer);
    private static readonly Metric Beside = new("P99 beside / alone", "P99 beside / alone");

    private static readonly StreamRow[] Rows =
    [
        new("tls-publish-16", "TLS, publish only, 16 B", 16, null) { Subscribers = 0, Feed = Feed.None },
        new("tls-one-16", "TLS, 1:1, 16 B", 16, new(1.5, 1.5)),
        new("tls-one-128", "TLS, 1:1, 128 B", 128, new(1.5, 1.5)),
        new("tls-one-16k", "TLS, 1:1, 16 KiB", 16 * 1024, new(1, 1)),
    ];

    private readonly Sheet _sheet = new(Name, ServerSpec.Ours, ServerSpec.Peer);

    public IReadOnlyList<ResultLine> Run()
    {
        using var authority = TlsFiles.CreateAuthority();
        if (options.Wants(IdleRow) && !log.Try(IdleRow, () => MeasureIdle(authority))) _sheet.Drop(IdleRow);
        using var servers = Start(authority);
        if (options.Wants(AcceptRow) && !log.Try(AcceptRow, () => MeasureAccepting(servers, authority))) _sheet.Drop(AcceptRow);
        new BlockingRows(options, log, _sheet).Measure(Rows, servers, server => TlsSocket.Open(server.Port, authority));
        return _sheet.Lines();
    }

    private ServerSet Start(X509Certificate2 authority)
        => ServerSet.Start(options.Servers.Select(static spec => spec.WithConfiguration()), options.StoreFolder, (_, folder) => TlsFiles.Write(folder, authority));

    // Measures requests of a client without TLS, first alone and then while others connect.
    private void MeasureAccepting(ServerSet servers, X509Certificate2 authority)
    {
        const string Title = "requests beside 1,000 new TLS connections a second";
        var row = CoreRows.Requests[0];
        var file = Path.Combine(Path.GetFullPath(options.StoreFolder), $"authority-{Environment.ProcessId}.pem");
        File.WriteAllText(file, authority.ExportCertificatePem());
        var seconds = options.Seconds * 2;
        try
        {
            foreach (var server in servers.All) RequestRun.Measure(row, server, 1);
            for (var repetition = 0; repetition < options.Repeats; repetition++)
            {
                foreach (var server in servers.Rotated(repetition))
                {
                    var alone = RequestRun.Measure(row, server, seconds);
                    using var handshakes = new ChildProcess(Handshaker.Verb, $"{server.Port}", Text(AcceptedPerSecond), Text(seconds + StartSeconds), file);
                    Pause.Seconds(StartSeconds);
                    var beside = RequestRun.Measure(row, server, seconds);
                    _sheet.Add(AcceptRow, Title, null, Accepted, server.Name, Number(handshakes.ReadOutput("The process that opens TLS connections")) / (seconds + StartSeconds));
                    _sheet.Add(AcceptRow, Title, null, Metric.P99, server.Name, beside.P99);
                    _sheet.Add(AcceptRow, Title, null, Beside, server.Name, beside.P99 / alone.P99);
                }
            }
        }
        finally
        {
            File.Delete(file);
        }

        _sheet.Target(AcceptRow, Beside, Rule.ValueAtMost, LongestP99);
        log.Write(_sheet.Lines(AcceptRow));
    }

    private static string Text(double number) => number.ToString(CultureInfo.InvariantCulture);

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);

    private void MeasureIdle(X509Certificate2 authority)
    {
        using var servers = Start(authority);
        foreach (var server in servers.All)
        {
            // What a server sets up once is not a connection's price.
            for (var i = 0; i < 20; i++) TlsSocket.Open(server.Port, authority).Dispose();
            Pause.Seconds(1);
            var before = server.ResidentBytes;
            var connections = new List<TlsSocket>();
            try
            {
                for (var i = 0; i < IdleConnections; i++) connections.Add(TlsSocket.Open(server.Port, authority));
                Pause.Seconds(3);
                _sheet.Add(IdleRow, $"an idle TLS connection of {IdleConnections:N0}", null, Metric.KibibytesEach, server.Name,
                    (server.ResidentBytes - before) / 1024.0 / IdleConnections);
            }
            finally
            {
                connections.ForEach(static connection => connection.Dispose());
            }
        }

        _sheet.Target(IdleRow, Metric.KibibytesEach, Rule.ValueAtMost, IdleLimitKibibytes);
        log.Write(_sheet.Lines(IdleRow));
    }
}
