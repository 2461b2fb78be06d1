using System.Globalization;
using System.Text;
using Postrider.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Leaf;

/// <summary>Compressed links: with Go's server and ours at each end, each end compresses as its options and the other's say.</summary>
public sealed class LeafCompressionTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static MatrixTheoryData<ServerKind, ServerKind> Kinds => LeafPair.Kinds;

    public static TheoryData<ServerKind, ServerKind, string, string, string, string> Modes
    {
        get
        {
            var data = new TheoryData<ServerKind, ServerKind, string, string, string, string>();
            foreach (var (hub, spoke) in new[] { (ServerKind.Go, ServerKind.Go), (ServerKind.Go, ServerKind.Postrider), (ServerKind.Postrider, ServerKind.Go), (ServerKind.Postrider, ServerKind.Postrider) })
            {
                data.Add(hub, spoke, "off", "s2_fast", "off", "off");
                data.Add(hub, spoke, "s2_best", "off", "off", "off");
                data.Add(hub, spoke, "accept", "accept", "off", "off");
                data.Add(hub, spoke, "accept", "s2_best", "s2_best", "s2_best");
                data.Add(hub, spoke, "s2_better", "accept", "s2_better", "s2_better");
                data.Add(hub, spoke, "s2_fast", "s2_better", "s2_fast", "s2_better");
                data.Add(hub, spoke, "{ mode: s2_auto, rtt_thresholds: [\"60s\"] }", "s2_fast", "s2_uncompressed", "s2_fast");
                data.Add(hub, spoke, "accept", "{ mode: s2_auto, rtt_thresholds: [\"0s\", \"0s\", \"60s\"] }", "s2_fast", "s2_better");
            }
            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task Each_end_compresses_as_both_agreed(ServerKind hub, ServerKind spoke, string atHub, string atSpoke, string hubUses, string spokeUses)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke, listener: $"compression: {atHub}", remote: $"compression: {atSpoke}");

        Assert.Equal((hubUses, spokeUses), (await ModeAsync(pair.Hub), await ModeAsync(pair.Spoke)));
        await AssertCrossesAsync(pair);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Compressible_messages_need_few_bytes_on_the_link(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke, listener: "compression: s2_fast", remote: "compression: s2_fast");
        var (centre, edge) = (await pair.ConnectAsync(pair.Hub), await pair.ConnectAsync(pair.Spoke));
        await using var up = centre.Subscribe<string>("up");
        await using var down = edge.Subscribe<string>("down");
        await centre.FlushAsync(_ct);
        await edge.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Spoke, "up");
        await LeafPair.AwaitInterestAsync(pair.Hub, "down");
        var text = string.Concat(Enumerable.Range(0, 400).Select(static i => $"order {(i % 50).ToString(CultureInfo.InvariantCulture)} shipped; "));
        var before = pair.Link.Bytes;

        for (var i = 0; i < 50; i++)
        {
            await edge.PublishAsync("up", $"{i} {text}", ct: _ct);
            await centre.PublishAsync("down", $"{i} {text}", ct: _ct);
        }
        for (var i = 0; i < 50; i++)
        {
            Assert.Equal($"{i} {text}", (await up.ReadAsync(_ct)).Data);
            Assert.Equal($"{i} {text}", (await down.ReadAsync(_ct)).Data);
        }

        Assert.InRange(pair.Link.Bytes - before, 1, 2 * 50 * Encoding.ASCII.GetByteCount(text) / 4);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Compression_goes_on_top_of_tls_and_comes_back_after_a_cut(ServerKind hub, ServerKind spoke)
    {
        using var certificates = new TestCertificates();
        await using var pair = await LeafPair.StartAsync(
            hub,
            spoke,
            listener: $"compression: s2_better\ntls {{ cert_file: \"{certificates.ServerFile}\", key_file: \"{certificates.ServerKeyFile}\", ca_file: \"{certificates.CaFile}\" }}",
            remote: $"compression: s2_better\ntls {{ ca_file: \"{certificates.CaFile}\" }}");
        await AssertCrossesAsync(pair);

        pair.Link.Cut();
        await LeafPair.AwaitLinksAsync(pair.Spoke, 0);
        await LeafPair.AwaitLinksAsync(pair.Hub, 0);
        pair.Link.Heal();
        await LeafPair.AwaitLinksAsync(pair.Spoke, 1);
        await LeafPair.AwaitLinksAsync(pair.Hub, 1);

        Assert.Equal(("s2_better", "s2_better"), (await ModeAsync(pair.Hub), await ModeAsync(pair.Spoke)));
        await AssertCrossesAsync(pair);
    }

    private async Task AssertCrossesAsync(LeafPair pair)
    {
        await using var centre = await LeafPair.ConnectToAsync(pair.Hub);
        await using var edge = await LeafPair.ConnectToAsync(pair.Spoke);
        await using var up = centre.Subscribe<byte[]>("bytes.up");
        await using var down = edge.Subscribe<byte[]>("bytes.down");
        await centre.FlushAsync(_ct);
        await edge.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Spoke, "bytes.up");
        await LeafPair.AwaitInterestAsync(pair.Hub, "bytes.down");
        var random = new Random(Seed.Next());
        var sent = new[] { 0, 1, 64, 4095, 65_535, 65_536, 65_537, 300_000, 1_048_576 }.Select(length => Mixed(random, length)).ToList();

        foreach (var bytes in sent)
        {
            await edge.PublishAsync("bytes.up", bytes.AsSpan(), ct: _ct);
            await centre.PublishAsync("bytes.down", bytes.AsSpan(), ct: _ct);
        }

        foreach (var bytes in sent)
        {
            Assert.Equal(bytes, (await up.ReadAsync(_ct)).Data ?? []);
            Assert.Equal(bytes, (await down.ReadAsync(_ct)).Data ?? []);
        }
    }

    private static async Task<string?> ModeAsync(ServerProcess server) => (await server.MonitorAsync("leafz")).GetProperty("leafs")[0].GetProperty("compression").GetString();

    // Noise, runs and repeats.
    private static byte[] Mixed(Random random, int length)
    {
        var bytes = new byte[length];
        for (var at = 0; at < length;)
        {
            var part = Math.Min(length - at, 1 + random.Next(400));
            var target = bytes.AsSpan(at, part);
            if (random.Next(3) == 0) random.NextBytes(target);
            else if (at > part && random.Next(2) == 0) bytes.AsSpan(random.Next(at - part), part).CopyTo(target);
            else target.Fill((byte)random.Next(256));
            at += part;
        }
        return bytes;
    }
}
