using System.Buffers;
using System.Text.Json;
using Postrider.Benchmarks.Turns;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>The codecs alone: <c>messagepack [--quick] [--json FILE] [--row TEXT] [--subject TEXT]</c>.</summary>
/// <remarks>The subjects of a row take turns in one process. Peers that no package gives take part when their assemblies were
/// in the folder named by <c>--peers</c>. A read is proved against the items before it is measured.</remarks>
public static class CodecBench
{
    private static readonly string[] s_peers = ["Postrider.Benchmarks.Peers.MessagePack.MessagePackCSharp", "Postrider.Benchmarks.Peers.MessagePack.MessagePackCSharpNative", "Postrider.Benchmarks.Peers.MemoryPack.MemoryPackPeer"];

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

    /// <summary>Runs the table.</summary>
    /// <param name="args">As in the summary.</param>
    /// <returns>0; whether the targets held is in the rows.</returns>
    public static int Run(string[] args)
    {
        ArgumentNullException.ThrowIfNull(args);
        var report = new TurnReport("messagepack", BenchArguments.Option(args, "--json"));
        var peers = Peers().Where(p => BenchArguments.Matches(args, "--subject", p.Name)).ToList();
        foreach (var (name, count) in ((string, int)[])[("Small", 10), ("Small", 100), ("Small", 1000), ("Large", 10), ("Large", 100), ("Large", 1000)])
        {
            if (!BenchArguments.Matches(args, "--row", $"{name} {count}"))
                continue;
            var items = name == "Small" ? JsonSerializer.Serialize(CodecItems.Small(count)) : JsonSerializer.Serialize(CodecItems.Large(count));
            var work = peers.ConvertAll(p => Proved(p, name == "Small" ? p.ForSmall(items) : p.ForLarge(items), items));
            foreach (var (what, turns) in new[] { ("write", work.ConvertAll(w => w.Write)), ("read", work.ConvertAll(w => w.Read)), ("both", work.ConvertAll(w => w.Both)) })
            {
                var row = what == "both" ? $"{name} {count}" : $"{name} {count} {what}";
                report.Add(row, TurnTaking.TakeAsync(turns, args.Contains("--quick")).GetAwaiter().GetResult(),
                    (_, peer) => s_targets.TryGetValue((row, peer), out var most) ? most : null);
            }
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

    private static (Turn Write, Turn Read, Turn Both) Proved(ICodecPeer peer, CodecWork work, string items)
    {
        var buffer = new ArrayBufferWriter<byte>(items.Length * 2);
        work.Write(buffer);
        var bytes = buffer.WrittenMemory.ToArray();
        if (JsonSerializer.Serialize(work.Read(bytes)) != items)
            throw new InvalidOperationException($"{peer.Name} did not read what it wrote.");
        Console.WriteLine($"{peer.Name}: {bytes.Length} bytes");
        return (Of(Write), Of(Read), Of(() =>
        {
            Write();
            Read();
        }));

        Turn Of(Action action) => new(peer.Name, () =>
        {
            action();
            return default;
        });

        void Write()
        {
            buffer.ResetWrittenCount();
            work.Write(buffer);
        }

        void Read()
        {
            if (work.Read(bytes) is null)
                throw new InvalidOperationException("Nothing was read.");
        }
    }
}
