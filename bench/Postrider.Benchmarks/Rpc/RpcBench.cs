using System.Buffers;
using System.Text.Json;
using Postrider.Benchmarks.MessagePack;
using Postrider.Benchmarks.Turns;

namespace Postrider.Benchmarks.Rpc;

/// <summary>Calls: <c>rpc [--quick] [--json FILE] [--write-results FOLDER] [--row TEXT] [--subject TEXT]</c>.</summary>
/// <remarks>Client and server are in one process on 127.0.0.1; the subjects of a row take turns, and each is proved to echo
/// before it is measured. First one call at a time over every transport, then the dispatch patterns of the socket. Peers that
/// no package gives take part when their assemblies were in the folder named by <c>--peers</c>.</remarks>
public static class RpcBench
{
    private static readonly TurnResults s_results = new(
        "Calls",
        "client and server in one process on 127.0.0.1, subjects in turns; best round's p50 and mean and least p95 in us a call, bytes allocated by both sides, collections for 1,000 calls (those of older generations count as younger ones too). " +
        "Each call echoes a list; every subject first gave back what it was given, item for item, and every measured call shows as many items as were sent. Small is a Guid, Large an order with two addresses, three lines and 19 texts, about 1 KB. " +
        "Minimal API (source-generated System.Text.Json) and MVC (as it comes; XML by DataContractSerializer) are called by HttpClient, MVC XML, CoreWCF's WebHttp and the serializers named 'HTTP' by a message invoker with pooled buffers, the last against a mapped endpoint that does nothing else. Protobuf and gRPC send Protobuf's own messages (Guid and decimal as bytes), protobuf-net.Grpc the classes of contracts in code; 'bytes' is what MessagePack makes of the items, not read by anybody; NATS is the broker in this process over TCP. Orleans is one grain of a silo, called through the gateway's TCP port or by the silo's own client, which copies arguments and answers unless they are declared immutable. " +
        "In flight: so many callers that call again when answered; us is the time of the round by its calls, p95 that of single calls. Burst: 1,000 calls begun at once; bursts and sequences are six runs each, us a run. 'blocking' is one call at a time on one connection. " +
        "Peers that were not in the folder are not in the tables, and targets beside them not judged.");

    private static readonly TurnSheet[] s_sheets =
    [
        new("one call at a time, p50 / p95 us", Matrix, cell => $"{TurnResults.Time(cell.Value)} / {TurnResults.Time(cell.Tail)}"),
        new("mean us", Matrix, cell => TurnResults.Time(cell.Mean)),
        new("allocated; gen0/1/2 for 1,000 calls", Matrix, cell => $"{TurnResults.Bytes(cell.Bytes)}; {TurnReport.Collections(cell)}"),
        new("in flight, us a call / p95 of a call / allocated a call", row => Part(row, "in flight"), cell => $"{TurnResults.Time(cell.Value)} / {TurnResults.Time(cell.Tail)} / {TurnResults.Bytes(cell.Bytes)}"),
        new("six runs, us: median / mean / allocated a run / held after it", row => Part(row, "burst") ?? Part(row, "sequence"), cell => $"{TurnResults.Time(cell.Value)} / {TurnResults.Time(cell.Mean)} / {TurnResults.Bytes(cell.Bytes)} / {TurnResults.Bytes(Math.Max(cell.Held ?? 0, 0))}"),
    ];

    /// <summary>Runs the tables.</summary>
    /// <param name="args">As in the summary.</param>
    /// <returns>0; whether the targets held is in the rows.</returns>
    public static int Run(string[] args)
    {
        ArgumentNullException.ThrowIfNull(args);
        RunAsync(args).GetAwaiter().GetResult();
        return 0;
    }

    private static async Task RunAsync(string[] args)
    {
        var report = new TurnReport("rpc", BenchArguments.Option(args, "--json"));
        await using var subjects = await RpcSubjects.StartAsync();
        await TurnTaking.Of(args.Contains("--quick")).SettleAsync([.. subjects.All.SelectMany(s => new[] { s.Of("Small", 10), s.Of("Large", 10) }.Select(call => new SingleTurn(s.Name, call.Run)))]);
        foreach (var (shape, count) in CodecItems.Cells)
            await RowAsync(args, report, subjects, shape, count);
        await new DispatchRows(subjects).RunAsync(args, report);
        Console.WriteLine(report.Judgement());
        if (BenchArguments.Option(args, "--write-results") is { } folder)
            s_results.Write(folder, report, $"./dev bench rpc {(args.Contains("--quick") ? "--quick " : "")}--peers FOLDER", s_sheets);
    }

    private static async Task RowAsync(string[] args, TurnReport report, RpcSubjects subjects, string shape, int count)
    {
        var row = $"{shape} {count}";
        if (!BenchArguments.Matches(args, "--row", row))
            return;
        var items = CodecItems.Json(shape, count);
        var turns = new List<Turn>();
        foreach (var subject in subjects.All.Where(s => BenchArguments.Matches(args, "--subject", s.Name)))
        {
            var call = subject.Of(shape, count);
            if (JsonSerializer.Serialize(await call.Prove()) != items)
                throw new InvalidOperationException($"{subject.Name} did not give back what it was given.");
            turns.Add(new SingleTurn(subject.Name, call.Run));
        }

        var cells = await TurnTaking.Of(args.Contains("--quick")).TakeAsync(row, turns);
        var objects = 2 * BytesToRead(shape, items);
        report.Add(cells, cell => RpcTargets.Matrix(cell, cells, objects));
    }

    // What the objects of one side take: those that our codec makes when it reads them.
    private static double BytesToRead(string shape, string items)
    {
        const int reads = 50;
        var codec = new OwnCodec();
        var work = shape == "Small" ? codec.ForSmall(items) : codec.ForLarge(items);
        var buffer = new ArrayBufferWriter<byte>();
        work.Write(buffer, work.Items);
        work.Read(buffer.WrittenMemory);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < reads; i++)
            work.Read(buffer.WrittenMemory);
        return (double)(GC.GetAllocatedBytesForCurrentThread() - before) / reads;
    }

    private static string? Matrix(string row) => row.Contains(',', StringComparison.Ordinal) ? null : row;

    private static string? Part(string row, string word) => row.Contains(word, StringComparison.Ordinal) ? row : null;
}
