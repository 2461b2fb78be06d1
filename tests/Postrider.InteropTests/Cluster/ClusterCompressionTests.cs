using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Cluster;

/// <summary>Compressed routes: with Go's server and ours at each end, each end compresses as its options and the other's say.</summary>
public sealed class ClusterCompressionTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static TheoryData<ServerKind, ServerKind, string, string, string, string> Modes
    {
        get
        {
            var data = new TheoryData<ServerKind, ServerKind, string, string, string, string>();
            foreach (var (first, second) in new[] { (ServerKind.Go, ServerKind.Go), (ServerKind.Go, ServerKind.Postrider), (ServerKind.Postrider, ServerKind.Go), (ServerKind.Postrider, ServerKind.Postrider) })
            {
                data.Add(first, second, "compression: off", "compression: s2_fast", "off", "off");
                data.Add(first, second, "", "", "off", "off");
                data.Add(first, second, "compression: accept", "compression: s2_better", "s2_better", "s2_better");
                data.Add(first, second, "compression: on", "", "s2_fast", "s2_fast");
                data.Add(first, second, "compression: s2_best, pool_size: -1", "compression: s2_fast, pool_size: -1", "s2_best", "s2_fast");
                data.Add(first, second, "compression: { mode: s2_auto, rtt_thresholds: [\"60s\"] }", "compression: { mode: s2_auto, rtt_thresholds: [\"0s\", \"60s\"] }", "s2_uncompressed", "s2_fast");
                data.Add(first, second, "compression: s2_fast, accounts: [ \"$G\" ]", "compression: s2_fast, accounts: [ \"$G\" ]", "s2_fast", "s2_fast");
            }
            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task Each_end_compresses_as_both_agreed(ServerKind first, ServerKind second, string atFirst, string atSecond, string firstUses, string secondUses)
    {
        await using var seed = await ClusterMesh.StartServerAsync(first, "s1", cluster: atFirst);
        await using var other = await ClusterMesh.StartServerAsync(second, "s2", cluster: $"routes [ \"nats-route://127.0.0.1:{await ClusterMesh.PortAsync(seed)}\" ]\n{atSecond}");
        await ClusterMesh.AwaitPeersAsync(seed, 1);
        await ClusterMesh.AwaitPeersAsync(other, 1);

        Assert.Equal([firstUses], await ModesAsync(seed));
        Assert.Equal([secondUses], await ModesAsync(other));
        await using var here = await Leaf.LeafPair.ConnectToAsync(seed);
        await using var there = await Leaf.LeafPair.ConnectToAsync(other);
        await using var inbound = here.Subscribe<string>("in");
        await using var outbound = there.Subscribe<string>("out");
        await here.FlushAsync(_ct);
        await there.FlushAsync(_ct);
        await ClusterMesh.AwaitInterestAsync(other, "in");
        await ClusterMesh.AwaitInterestAsync(seed, "out");
        for (var i = 0; i < 200; i++)
        {
            var text = $"{i} {string.Concat(Enumerable.Repeat($"item {i % 7}, ", i * 20))}";
            await there.PublishAsync("in", text, ct: _ct);
            await here.PublishAsync("out", text, ct: _ct);
            Assert.Equal(text, (await inbound.ReadAsync(_ct)).Data);
            Assert.Equal(text, (await outbound.ReadAsync(_ct)).Data);
        }
    }

    private static async Task<IEnumerable<string?>> ModesAsync(ServerProcess server)
        => (await server.MonitorAsync("routez")).GetProperty("routes").EnumerateArray().Select(static route => route.GetProperty("compression").GetString()).Distinct();
}
