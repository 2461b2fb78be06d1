using Postrider.Load.Native;
using Postrider.Load.Reports;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Tables;

/// <summary>What a program costs before it has done anything: its size, its start as a server and as a client, its idle memory, its first stream.</summary>
internal sealed class StartTable(Options options, RowLog log)
{
    public const string Name = "broker-start";

    private const double IdleSeconds = 5;

    // Half as long again as Go's server needs, and 4 MB more than it takes.
    private const double MostStart = 1.5;
    private const double MoreIdleMegabytes = 4;

    // A command that answers within this time seems to answer at once, with the shell's own time.
    private const double MaxVerbMilliseconds = 50;

    // The tool for nats-server; it is compared only where it is installed.
    private const string Tool = "nats";

    private static readonly string[] s_subjects = ["first"];

    private static readonly Metric Size = new("size MB", "size MB");
    private static readonly Metric Start = new("start ms", "start ms", Metric.Order.OursByPeer);
    private static readonly Metric Whole = new("run ms", "run ms");
    private static readonly Metric FirstStream = new("first stream CPU ms", "first stream CPU ms", Metric.Order.OursByPeer);

    private readonly Sheet _sheet = new(Name, ServerSpec.Ours, ServerSpec.Peer);

    private int Starts => options.Quick ? 11 : 31;

    public IReadOnlyList<ResultLine> Run()
    {
        ServerSpec[] programs = [.. options.Servers.Where(static spec => spec.Attached is null)];
        foreach (var program in programs)
            _sheet.Add("size", "the program on the disk", null, Size, program.Name, SizeOf(program) / 1e6);
        log.Write(_sheet.Lines("size"));

        for (var repetition = 0; repetition < Starts; repetition++)
        {
            foreach (var program in programs)
                MeasureStart(program);
        }

        _sheet.Target("start", Start, Rule.RatioAtMost, MostStart);
        log.Write(_sheet.Lines("start"));
        log.Write(_sheet.Lines("first-stream"));

        MeasureVerbs(programs);
        log.Write(_sheet.Lines("verb"));
        log.Write(_sheet.Lines("help"));

        for (var repetition = 0; repetition < options.Repeats; repetition++)
        {
            using var servers = ServerSet.Start(programs);
            Pause.Seconds(IdleSeconds);
            foreach (var server in servers.All)
                _sheet.Add("idle", $"idle, {IdleSeconds} s after the start", null, Metric.Resident, server.Name, server.ResidentBytes / 1e6);
        }

        var idle = _sheet.Lines("idle");
        if (idle.FirstOrDefault(static line => line.Subject == ServerSpec.Peer) is { } peer)
            _sheet.Target("idle", Metric.Resident, Rule.ValueAtMost, Math.Round(peer.Value + MoreIdleMegabytes, 1));
        log.Write(_sheet.Lines("idle"));
        return _sheet.Lines();
    }

    private void MeasureStart(ServerSpec program)
    {
        using (var server = ServerProcess.Start(program))
            _sheet.Add("start", "from the process's start to its first answer", null, Start, program.Name, server.Started.TotalMilliseconds);

        using var folder = new StoreFolder(options.StoreFolder);
        using var streams = ServerProcess.Start(program.WithStreams(), folder);
        using var api = new StreamApi(streams.Port);
        var before = streams.CpuNanoseconds;
        api.CreateStream("FIRST", new { name = "FIRST", subjects = s_subjects, storage = "file" });
        _sheet.Add("first-stream", "the first STREAM.CREATE", null, FirstStream, program.Name, (streams.CpuNanoseconds - before) / 1e6);
    }

    private void MeasureVerbs(ServerSpec[] programs)
    {
        var settings = Directory.CreateTempSubdirectory("postrider-load-");
        try
        {
            using var server = ServerProcess.Start(programs[0]);
            var address = $"nats://127.0.0.1:{server.Port}";
            for (var repetition = 0; repetition < Starts; repetition++)
            {
                foreach (var program in programs)
                {
                    var path = program.Command.Split(' ')[0];
                    if (program.Name == ServerSpec.Peer)
                    {
                        // It has no client verbs: the least that a program of its kind takes.
                        Add("help", program.Name, path, "--version");
                        continue;
                    }

                    // Any other server has neither.
                    if (!program.Command.Contains(" serve ", StringComparison.Ordinal)) continue;
                    Add("verb", program.Name, path, "rtt", "--count", "1", "-s", address);
                    Add("help", program.Name, path, "--help");
                }

                if (options.NatsTool is not { } tool) continue;
                Add("verb", Tool, tool, "rtt", "1", "-s", address);
                Add("help", Tool, tool, "--help");
            }
        }
        finally
        {
            settings.Delete(recursive: true);
        }

        _sheet.Target("verb", Whole, Rule.ValueAtMost, MaxVerbMilliseconds);
        _sheet.Target("help", Whole, Rule.ValueAtMost, MaxVerbMilliseconds);

        void Add(string row, string subject, string path, params string[] arguments)
            => _sheet.Add(row, row == "verb" ? "a client verb, rtt, from the process's start to its end" : "--help (nats-server: --version), from the process's start to its end", null, Whole, subject, Command.Measure(settings.FullName, path, arguments).TotalMilliseconds);
    }

    // A program that is not one file has its libraries beside it.
    private static long SizeOf(ServerSpec program)
    {
        var file = new FileInfo(program.Command.Split(' ')[0]);
        return file.Directory!.EnumerateFiles("*.dll").Any()
            ? file.Directory.EnumerateFiles("*", SearchOption.AllDirectories).Sum(static part => part.Length)
            : file.Length;
    }
}
