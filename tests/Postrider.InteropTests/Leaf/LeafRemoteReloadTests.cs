using Postrider.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Leaf;

/// <summary>Reloads that add and remove the remotes of a leaf node, with each server on each side.</summary>
public sealed class LeafRemoteReloadTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static MatrixTheoryData<ServerKind, ServerKind> Kinds => LeafPair.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Remotes_come_and_go_and_one_that_stays_keeps_its_connection(ServerKind hub, ServerKind spoke)
    {
        await using var first = await LeafPair.StartHubAsync(hub, name: "first");
        await using var second = await LeafPair.StartHubAsync(hub, name: "second");
        var (one, two) = (await RemoteAsync(first), await RemoteAsync(second));
        await using var edge = await ReloadingServer.StartAsync(spoke, Configuration(one));
        await LeafPair.AwaitLinksAsync(first, 1);
        await using var client = await NatsClient.ConnectAsync($"nats://127.0.0.1:{edge.Port}", ct: _ct);
        await using var received = client.Subscribe<string>("news");
        await client.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(first, "news");
        var kept = await IdAsync(first);

        await edge.ReloadAsync(Configuration(one, two));
        await AssertHearsAsync(second, received);
        Assert.Equal(kept, await IdAsync(first));
        await AssertHearsAsync(first, received);

        var stays = await IdAsync(second);
        await edge.ReloadAsync(Configuration(two));
        await LeafPair.AwaitLinksAsync(first, 0);
        Assert.Equal(stays, await IdAsync(second));
        await AssertHearsAsync(second, received);

        await edge.ReloadAsync(Configuration());
        await LeafPair.AwaitLinksAsync(second, 0);

        await edge.ReloadAsync(Configuration(one));
        await AssertHearsAsync(first, received);
    }

    private async Task AssertHearsAsync(ServerProcess hub, NatsSubscription<string> received)
    {
        await LeafPair.AwaitLinksAsync(hub, 1);
        await LeafPair.AwaitInterestAsync(hub, "news");
        await using var publisher = await LeafPair.ConnectToAsync(hub);
        var text = Guid.NewGuid().ToString();

        await publisher.PublishAsync("news", text, ct: _ct);

        // Once: what is left from before would be another one.
        Assert.Equal(text, (await received.ReadAsync(_ct)).Data);
    }

    private static async Task<long> IdAsync(ServerProcess hub) => (await hub.MonitorAsync("leafz")).GetProperty("leafs")[0].GetProperty("id").GetInt64();

    private static async Task<string> RemoteAsync(ServerProcess hub) => $"{{ url: \"nats-leaf://127.0.0.1:{await LeafPair.LeafPortAsync(hub)}\" }}";

    private static string Configuration(params string[] remotes) => $"server_name: edge\nleafnodes {{\nreconnect: \"200ms\"\nremotes [\n{string.Join('\n', remotes)}\n]\n}}\n";
}
