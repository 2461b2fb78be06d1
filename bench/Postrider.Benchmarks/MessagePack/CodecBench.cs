using System.Buffers;
using System.Globalization;
using System.Text.Json;
using Postrider.Benchmarks.Flow;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>The codecs alone: <c>messagepack [--quick] [--json FILE] [--row TEXT] [--subject TEXT]</c>.</summary>
/// <remarks>The subjects of a row take turns in one process. Peers that no package gives take part when their assemblies were
/// in the folder named by <c>--peers</c>. A read is proved against the items before it is measured.</remarks>
public static class CodecBench
{
    private static readonly JsonSerializerOptions s_format = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower };

    private static readonly string[] s_peers = ["Postrider.Benchmarks.Peers.MessagePack.MessagePackCSharp", "Postrider.Benchmarks.Peers.MessagePack.MessagePackCSharpNative", "Postrider.Benchmarks.Peers.MemoryPack.MemoryPackPeer"];

    // The targets of the RPC tables, for the codec's part: ratios of medians, ours to the peer's.
    private static readonly Dictionary<(string Row, string Peer), double> s_targets = new()
    {
        [("Small 100", "MessagePack-CSharp")] = 0.5, [("Small 1000", "MessagePack-CSharp")] = 0.5, [("Large 10", "MessagePack-CSharp")] = 0.65,
        [("Large 100", "MessagePack-CSharp")] = 0.5, [("Large 1000", "MessagePack-CSharp")] = 0.5, [("Large 100", "MemoryPack")] = 1.1,
        [("Large 10", "MemoryPack")] = 1.15, [("Small 100", "MemoryPack")] = 1.05, [("Small 1000", "MemoryPack")] = 0.85,
    };

    /// <summary>Runs the table.</summary>
    /// <param name="args">As in the summary.</param>
    /// <returns>0; whether the targets held is in the rows.</returns>
    public static int Run(string[] args)
    {
        ArgumentNullException.ThrowIfNull(args);
        var json = Option(args, "--json");
        if (json is not null)
            File.WriteAllText(json, "");
        var peers = Peers().Where(p => Matches(args, "--subject", p.Name)).ToList();
        Console.WriteLine($"{"row",-18} {"subject",-26} {"median us",10} {"least us",10} {"B/call",10} {"wire B",9}  ratio of ours");
        foreach (var (name, count) in ((string, int)[])[("Small", 10), ("Small", 100), ("Small", 1000), ("Large", 10), ("Large", 100), ("Large", 1000)])
        {
            if (!Matches(args, "--row", $"{name} {count}"))
                continue;
            var items = name == "Small" ? JsonSerializer.Serialize(CodecItems.Small(count)) : JsonSerializer.Serialize(CodecItems.Large(count));
            var rows = peers.ConvertAll(p => Proved(p, name == "Small" ? p.ForSmall(items) : p.ForLarge(items), items));
            Measure($"{name} {count}", rows, args.Contains("--quick"), json);
        }

        return 0;
    }

    private static IEnumerable<ICodecPeer> Peers()
    {
        yield return new OwnCodec();
        yield return new JsonCodec();
        foreach (var name in s_peers)
        {
            if (typeof(CodecBench).Assembly.GetType(name) is { } type)
                yield return (ICodecPeer)Activator.CreateInstance(type)!;
            else
                Console.WriteLine($"{name[(name.LastIndexOf('.') + 1)..]}: peer absent (name the folder of its assembly: ./dev bench messagepack --peers FOLDER)");
        }
    }

    private static (ICodecPeer Peer, int Bytes, Func<ValueTask<long>> Write, Func<ValueTask<long>> Read) Proved(ICodecPeer peer, CodecWork work, string items)
    {
        var buffer = new ArrayBufferWriter<byte>(items.Length * 2);
        work.Write(buffer);
        var bytes = buffer.WrittenMemory.ToArray();
        if (JsonSerializer.Serialize(work.Read(bytes)) != items)
            throw new InvalidOperationException($"{peer.Name} did not read what it wrote.");
        return (peer, bytes.Length, () =>
        {
            buffer.ResetWrittenCount();
            work.Write(buffer);
            return new ValueTask<long>(1);
        }, () => work.Read(bytes) is not null ? new ValueTask<long>(1) : throw new InvalidOperationException("Nothing was read."));
    }

    private static void Measure(string row, List<(ICodecPeer Peer, int Bytes, Func<ValueTask<long>> Write, Func<ValueTask<long>> Read)> rows, bool quick, string? json)
    {
        var writes = FlowMeasurement.Take(rows.ConvertAll(r => new FlowRow("messagepack", row, r.Peer.Name, 1, r.Write, 1)), quick);
        var reads = FlowMeasurement.Take(rows.ConvertAll(r => new FlowRow("messagepack", row, r.Peer.Name, 1, r.Read, 1)), quick);
        Print(row + " write", writes);
        Print(row + " read", reads);
        Print(row, [.. writes.Zip(reads, (w, r) => new FlowCell(w.Row, [.. w.Times.Zip(r.Times, (write, read) => write + read)], w.BytesPerItem + r.BytesPerItem, null))]);

        void Print(string name, IReadOnlyList<FlowCell> cells)
        {
            var ours = cells.FirstOrDefault(c => c.Row.Subject == FlowRow.Ours);
            for (var i = 0; i < cells.Count; i++)
            {
                var (cell, ratio) = (cells[i], ours is null ? (double?)null : ours.Median / cells[i].Median);
                var target = s_targets.TryGetValue((name, cell.Row.Subject), out var most) ? most : (double?)null;
                var verdict = target is null ? "" : ratio <= target ? $"(<= {most}) held" : $"(<= {most}) MISSED";
                Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                    $"{name,-18} {cell.Row.Subject,-26} {cell.Median / 1000,10:0.00} {cell.Least / 1000,10:0.00} {cell.BytesPerItem,10:0} {rows[i].Bytes,9}  {ratio,5:0.00} {verdict}"));
                if (json is not null)
                {
                    File.AppendAllText(json, JsonSerializer.Serialize(new
                    {
                        Table = "messagepack", Row = name, Subject = cell.Row.Subject, Value = Math.Round(cell.Median / 1000, 3), Unit = "us",
                        Spread = Math.Round((cell.Most - cell.Least) / cell.Median, 3), Bytes = Math.Round(cell.BytesPerItem), WireBytes = rows[i].Bytes,
                        OursToThis = ratio is { } known ? Math.Round(known, 3) : (double?)null, Target = target, Holds = target is null ? (bool?)null : ratio <= target,
                    }, s_format) + "\n");
                }
            }
        }
    }

    private static bool Matches(string[] args, string name, string value)
        => Option(args, name) is not { } text || value.Contains(text, StringComparison.OrdinalIgnoreCase);

    private static string? Option(string[] args, string name)
    {
        var at = Array.IndexOf(args, name);
        return at >= 0 && at + 1 < args.Length ? args[at + 1] : null;
    }
}
