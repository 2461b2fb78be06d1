using System.Buffers;
using System.Text.Json;
using Postrider.Benchmarks.Turns;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>The codecs alone: <c>messagepack [--quick] [--json FILE] [--write-results FOLDER] [--row TEXT] [--subject TEXT]</c>.</summary>
/// <remarks>The subjects of a row take turns in one process. Peers that no package gives take part when their assemblies were
/// in the folder named by <c>--peers</c>. A read is proved against the items before it is measured, and every operation that is
/// measured shows as many bytes or items as it must.</remarks>
public static class CodecBench
{
    private static readonly TurnResults s_results = new(
        "MessagePack",
        "the serializers alone, in turns in one process; each writes into a buffer that is kept and reads an array. Best round's p50 and mean in us an operation, bytes allocated behind the stroke. " +
        "Small is a Guid, Large an order with two addresses, three lines and 19 texts, about 1 KB. Every serializer first gave back what it was given, item for item. " +
        "MessagePack-CSharp writes Guid and decimal as text unless told otherwise ('native'); Nerdbank.MessagePack has generated shapes and writes objects as arrays (PerfOverSchemaStability); MemoryPack copies without type codes.");

    // The targets of the RPC tables, for the codec's part: ratios of medians, ours to the peer's.
    private static readonly Dictionary<(string Row, string Peer), double> s_targets = new()
    {
        [("Small 100", "MessagePack-CSharp")] = 0.5,
        [("Small 1000", "MessagePack-CSharp")] = 0.5,
        [("Large 10", "MessagePack-CSharp")] = 0.65,
        [("Large 100", "MessagePack-CSharp")] = 0.5,
        [("Large 1000", "MessagePack-CSharp")] = 0.5,
        [("Large 100", "MemoryPack")] = 1.1,
        [("Large 10", "MemoryPack")] = 1.15,
        [("Small 100", "MemoryPack")] = 1.05,
        [("Small 1000", "MemoryPack")] = 0.85,
    };

    private static readonly TurnSheet[] s_sheets =
    [
        new("write and read, p50 us / mean / allocated", row => row.Contains("write", StringComparison.Ordinal) || row.Contains("read", StringComparison.Ordinal) ? null : row, Figure),
        new("write", row => row.Contains("write", StringComparison.Ordinal) ? row[..row.LastIndexOf(' ')] : null, Figure),
        new("read", row => row.Contains("read", StringComparison.Ordinal) ? row[..row.LastIndexOf(' ')] : null, Figure),
    ];

    /// <summary>Runs the table.</summary>
    /// <param name="args">As in the summary.</param>
    /// <returns>0; whether the targets held is in the rows.</returns>
    public static int Run(string[] args)
    {
        ArgumentNullException.ThrowIfNull(args);
        var report = new TurnReport("messagepack", BenchArguments.Option(args, "--json"));
        var peers = ((IEnumerable<ICodecPeer>)[new OwnCodec(), new JsonCodec(), .. CodecPeers.Present("messagepack")]).Where(p => BenchArguments.Matches(args, "--subject", p.Name)).ToList();
        foreach (var (name, count) in CodecItems.Cells)
        {
            if (!BenchArguments.Matches(args, "--row", $"{name} {count}"))
                continue;
            var items = CodecItems.Json(name, count);
            var work = peers.ConvertAll(p => Proved(p, name == "Small" ? p.ForSmall(items) : p.ForLarge(items), items, count));
            foreach (var (what, turns) in new[] { ("write", work.ConvertAll(w => w.Write)), ("read", work.ConvertAll(w => w.Read)), ("both", work.ConvertAll(w => w.Both)) })
            {
                var row = what == "both" ? $"{name} {count}" : $"{name} {count} {what}";
                var cells = TurnTaking.Of(args.Contains("--quick")).TakeAsync(row, turns).GetAwaiter().GetResult();
                report.Add(cells, ours => cells.Where(c => s_targets.ContainsKey((row, c.Subject))).Select(peer => TurnTarget.Of(ours, peer, s_targets[(row, peer.Subject)])));
            }
        }

        Console.WriteLine(report.Judgement());
        if (BenchArguments.Option(args, "--write-results") is { } folder)
            s_results.Write(folder, report, $"./dev bench messagepack {(args.Contains("--quick") ? "--quick " : "")}--peers FOLDER", s_sheets);
        return 0;
    }

    private static string Figure(TurnCell cell) => $"{TurnResults.Time(cell.Value)} / {TurnResults.Time(cell.Mean)} / {TurnResults.Bytes(cell.Bytes)}";

    private static (Turn Write, Turn Read, Turn Both) Proved(ICodecPeer peer, CodecWork work, string items, int count)
    {
        var buffer = new ArrayBufferWriter<byte>(items.Length * 2);
        work.Write(buffer, work.Items);
        var bytes = buffer.WrittenMemory.ToArray();
        if (JsonSerializer.Serialize(work.Plain(work.Read(bytes))) != items)
            throw new InvalidOperationException($"{peer.Name} did not read what it wrote.");
        Console.WriteLine($"{peer.Name}: {bytes.Length} bytes");
        return (Of(Write), Of(Read), Of(() =>
        {
            Write();
            Read();
        }));

        Turn Of(Action action) => new SingleTurn(peer.Name, () =>
        {
            action();
            return default;
        });

        void Write()
        {
            buffer.ResetWrittenCount();
            work.Write(buffer, work.Items);
            if (buffer.WrittenCount != bytes.Length)
                throw new InvalidOperationException($"{peer.Name} wrote {buffer.WrittenCount} bytes and not {bytes.Length}.");
        }

        void Read()
        {
            if (work.Count(work.Read(bytes)) != count)
                throw new InvalidOperationException($"{peer.Name} read another number of items than {count}.");
        }
    }
}
