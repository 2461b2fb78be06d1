using System.Text.Json;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Monitoring;
using Postrider.InteropTests.SystemAccount;

namespace Postrider.InteropTests.Leaf;

/// <summary>What an account's statistics say of its leaf nodes: the same as Go's.</summary>
public sealed class LeafStatisticsTests
{
    private const string Accounts = "accounts { SYS { users [ { user: sys, password: p } ] }, A { users [ { user: a, password: p } ] } }\nsystem_account: SYS";
    private const string Listener = "authorization { user: l, password: p, account: A }";
    private const string Remote = "{ url: \"nats-leaf://l:p@{url}\", account: A }";

    public static MatrixTheoryData<ServerKind, ServerKind> Kinds => LeafPair.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Messages_of_leaf_nodes_are_counted_among_all_and_by_themselves(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke, Accounts, Listener, Accounts, Remote);
        await using var above = await SystemClient.ConnectAsync(pair.Hub.Port, "a");
        await using var below = await SystemClient.ConnectAsync(pair.Spoke.Port, "a");
        await above.SubscribeAsync("up");
        await below.SubscribeAsync("down");
        await LeafPair.AwaitInterestAsync(pair.Hub, "down");
        await LeafPair.AwaitInterestAsync(pair.Spoke, "up");

        await below.SendAsync("PUB up 3\r\nabc\r\nPUB up 3\r\nabc\r\nPUB nobody 4\r\nabcd\r\n");
        await above.SendAsync("HPUB down 12 17\r\nNATS/1.0\r\n\r\nabcde\r\n");

        await AccountTraffic.AwaitAsync(pair.Hub, "A conns 1 leafs 1 total 2 slow 0 sent 3/23 leafs 1/17 received 3/23 leafs 2/6");
        await AccountTraffic.AwaitAsync(pair.Spoke, "A conns 1 leafs 1 total 2 slow 0 sent 3/23 leafs 2/6 received 4/27 leafs 1/17");

        await pair.Spoke.KillAsync();
        await AccountTraffic.AwaitAsync(pair.Hub, "A conns 1 leafs 0 total 1 slow 0 sent 3/23 leafs 1/17 received 3/23 leafs 2/6");
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task System_account_is_told_when_a_leaf_node_comes_and_goes(ServerKind kind)
    {
        await using var hub = await LeafPair.StartHubAsync(kind, Accounts, Listener);
        await using var watcher = await SystemClient.ConnectAsync(hub.Port, "sys");
        await watcher.SubscribeAsync("$SYS.ACCOUNT.A.SERVER.CONNS");

        await using var spoke = await LeafPair.StartSpokeAsync(ServerKind.Go, "spoke", $"127.0.0.1:{await LeafPair.LeafPortAsync(hub)}", Accounts, Remote);
        var come = (await watcher.NextAsync(static _ => true)).Payload;
        await spoke.KillAsync();
        var gone = (await watcher.NextAsync(static _ => true)).Payload;

        Assert.Equal("A conns 0 leafs 1 total 1 slow 0 sent 0/0 received 0/0", AccountTraffic.Describe(JsonDocument.Parse(come).RootElement));
        Assert.Equal("A conns 0 leafs 0 total 0 slow 0 sent 0/0 received 0/0", AccountTraffic.Describe(JsonDocument.Parse(gone).RootElement));
    }
}
