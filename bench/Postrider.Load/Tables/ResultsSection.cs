using System.Text;
using Postrider.BenchReport;
using Postrider.Load.Reports;

namespace Postrider.Load.Tables;

/// <summary>Committed results, here of the broker: <c>results/broker.jsonl</c>, <c>results/broker-soak.jsonl</c> (which no other run
/// is compared with), <c>results/broker-about.jsonl</c> and the Broker section of RESULTS.md.</summary>
/// <remarks>A run replaces the tables it measured and leaves the others; the section is rendered from the two files.</remarks>
internal sealed class ResultsSection
{
    private static readonly (string Table, string Title, string Note)[] BrokerTables =
    [
        (CoreTable.Name, "Rates and latencies", "A message is a delivered one (a published one where nobody listens; a request with its reply). MB/s counts payload. " +
            "CPU is user and system time of the process. RSS is taken once the row's last run is over, in a server that has run all rows above. " +
            "Ratios: throughput and latency ours / theirs, CPU theirs / ours."),
        (MemoryTable.Name, "Memory", "Fresh servers. MB are millions of bytes of VmRSS."),
        (GrowthTable.Name, "Growth", "Connections are held by processes of their own; their CPU is part of the generator's."),
        (TlsTable.Name, "TLS", "Both servers have the same certificate (ECDSA over P-256) and TLS 1.3. The generator encrypts and decrypts as much as the server does, on the same processors. " +
            "An idle connection is one that said CONNECT and PING."),
        (CoreTable.Settings, "With permissions, accounts and over WebSocket", "Rows of the first table again, with the permissions or the import that the row names, or over WebSocket. " +
            "The targets of permissions and accounts are 0.85 of the first table's."),
        (LeafTable.Name, "Between two servers", "Two servers of a kind, one a leaf node of the other or both in a cluster; compressed is S2. CPU is both servers' together. " +
            "Subscriptions: from the first one until messages from the other server reach it; bytes are those of both processes."),
        (SoakTable.Name, "Soak", "Streams, requests and coming and going connections at the same time; memory is sampled twice a second."),
    ];

    private static readonly (string Table, string Title, string Note)[] ClientTables =
    [
        (ClientTable.Name, "Publish, subscribe, request", "Each client is a process of its own; CPU is that process's. Publishing ends with a round trip; a subscriber's count " +
            "is compared with what was published; requests are answered by the generator. 8 MiB may be under way to a subscriber. The ratio is to nats.js; NATS.Net has no callback to subscribe with."),
    ];

    private static readonly (string Table, string Title, string Note)[] JetStreamTables =
    [
        (StreamRatesTable.Name, "Publishing and consuming", "A message is one whose acknowledgement arrived and was checked, or one that was consumed, in order (and acknowledged, where acknowledgements are " +
            "explicit). Both servers keep files in the page cache before they acknowledge; neither waits for the disk. CPU is user and system time of the process. " +
            "Ratios: throughput and latency ours / theirs, CPU theirs / ours."),
        (LargeStreamsTable.Name, "Large streams", "Recovery is the time from the start of the process until the stream says that it has all its messages; the files are in the page cache. " +
            "Without the index: all files but the blocks were deleted. MB are millions of bytes of VmRSS."),
        (SafePublishTable.Name, "On the disk before the acknowledgement", "64 publishers, each with one message under way. Ours shares one fsync among all (`sync_interval: group`), " +
            "nats-server makes one per message (`sync_interval: always`)."),
        (SchedulesTable.Name, "Schedules of the same second", "From the first byte sent until the last schedule is acknowledged, and from the second for which all are scheduled until a push consumer " +
            "has the first and the last message. One connection publishes and receives."),
    ];

    private readonly string _folder;
    private readonly string _name;
    private readonly string _heading;
    private readonly (string Table, string Title, string Note)[] _tables;

    private ResultsSection(string folder, string name, string heading, (string Table, string Title, string Note)[] tables)
    {
        _folder = folder;
        _name = name;
        _heading = heading;
        _tables = tables;
    }

    private string LinesFile => Path.Combine(_folder, "results", $"{_name}.jsonl");

    private string SoakFile => Path.Combine(_folder, "results", $"{_name}-soak.jsonl");

    private string AboutFile => Path.Combine(_folder, "results", $"{_name}-about.jsonl");

    public static ResultsSection Broker(string folder) => new(folder, "broker", "Broker", BrokerTables);

    public static ResultsSection Client(string folder) => new(folder, "client", "Client", ClientTables);

    public static ResultsSection JetStream(string folder) => new(folder, "jetstream", "JetStream", JetStreamTables);

    public void Replace(IReadOnlyList<(About About, IReadOnlyList<ResultLine> Lines)> tables)
    {
        Directory.CreateDirectory(Path.Combine(_folder, "results"));
        var fresh = tables.Select(table => table.About.Table).ToHashSet();
        var lines = Read(LinesFile).Concat(Read(SoakFile)).Select(ResultLine.Parse).Where(line => !fresh.Contains(line.Table))
            .Concat(tables.SelectMany(table => table.Lines)).ToList();
        var abouts = Read(AboutFile).Select(About.Parse).Where(about => !fresh.Contains(about.Table))
            .Concat(tables.Select(table => table.About)).ToList();

        WriteLines(LinesFile, lines.Where(line => line.Table != SoakTable.Name));
        WriteLines(SoakFile, lines.Where(line => line.Table == SoakTable.Name));
        File.WriteAllLines(AboutFile, abouts.Select(about => about.ToJson()));
        ResultsPage.Write(_folder, _heading, Render(lines, abouts));
    }

    /// <summary>The section: per table what it says, how it was measured, the figures, the targets that were missed.</summary>
    private string Render(IReadOnlyList<ResultLine> lines, IReadOnlyList<About> abouts)
    {
        var text = new StringBuilder();
        foreach (var (table, title, note) in _tables)
        {
            ResultLine[] own = [.. lines.Where(line => line.Table == table)];
            if (own.Length == 0 || abouts.FirstOrDefault(about => about.Table == table) is not { } about)
                continue;

            text.Append($"\n### {title}\n\n{note}\n\n")
                .Append($"{about.Date}, commit {about.Commit}, {about.Versions}. {about.Machine}, {about.Runtime}. ")
                .Append($"`{about.Command}`: {about.Repeats} repetitions of {about.Seconds} s, servers in turn, medians; spread is (max - min) / median per server.\n\n");
            foreach (var part in MarkdownTable.Parts(own))
                text.Append(MarkdownTable.Print(part)).Append('\n');
            text.Append(Missed(own)).Append('\n');
        }

        return text.ToString();
    }

    /// <summary>One sentence on the targets.</summary>
    public static string Missed(IReadOnlyList<ResultLine> lines)
    {
        var judged = lines.Where(line => line.Holds is not null).ToArray();
        var missed = judged.Where(line => line.Holds == false)
            .Select(line => $"{line.Title} ({line.Unit}: {line.Ratio ?? line.Value} against {line.Target})").ToArray();
        return judged.Length == 0 ? "No target was judged.\n"
            : missed.Length == 0 ? $"All {judged.Length} targets hold.\n"
            : $"{judged.Length - missed.Length} of {judged.Length} targets hold; missed: {string.Join("; ", missed)}.\n";
    }

    private static void WriteLines(string path, IEnumerable<ResultLine> lines)
    {
        string[] text = [.. lines.Select(line => line.ToJson())];
        if (text.Length > 0)
            File.WriteAllLines(path, text);
    }

    private static string[] Read(string path) => File.Exists(path) ? File.ReadAllLines(path) : [];
}
