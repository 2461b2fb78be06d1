using Postrider.Load.Native;
using Postrider.Load.Reports;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Tables;

/// <summary>What a program costs before it has done anything: its size, its start, its idle memory, its first stream.</summary>
internal sealed class StartTable(Options options, RowLog log)
{
    public const string Name = "broker-start";

    private const double IdleSeconds = 5;

    // Half as long again as Go's server needs, and 4 MB more than it takes.
    private const double MostStart = 1.5;
    private const double MoreIdleMegabytes = 4;

    private static readonly string[] s_subjects = ["first"];

    private static readonly Metric Size = new("size MB", "size MB");
    private static readonly Metric Start = new("start ms", "start ms", Metric.Order.OursByPeer);
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

    // A program that is not one file has its libraries beside it.
    private static long SizeOf(ServerSpec program)
    {
        var file = new FileInfo(program.Command.Split(' ')[0]);
        return file.Directory!.EnumerateFiles("*.dll").Any()
            ? file.Directory.EnumerateFiles("*", SearchOption.AllDirectories).Sum(static part => part.Length)
            : file.Length;
    }
}
