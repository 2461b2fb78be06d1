using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Monitoring;
using Postrider.InteropTests.SystemAccount;

namespace Postrider.InteropTests.Cluster;

/// <summary>What an account's statistics say of messages over routes: the same as Go's.</summary>
public sealed class ClusterStatisticsTests
{
    private const string Accounts = "accounts { SYS { users [ { user: sys, password: p } ] }, A { users [ { user: a, password: p } ] }, B { users [ { user: b, password: p } ] } }\nsystem_account: SYS";

    // Routes that accounts share, and a route of the account's own.
    public static MatrixTheoryData<ServerKind, ServerKind, string> Stories => new(Enum.GetValues<ServerKind>(), Enum.GetValues<ServerKind>(), ["pool_size: 1", "accounts: [A]"]);

    [Theory]
    [MemberData(nameof(Stories))]
    public async Task Messages_over_routes_are_counted_among_all_and_by_themselves(ServerKind first, ServerKind second, string cluster)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second], Accounts, cluster);
        await using var here = await SystemClient.ConnectAsync(mesh[0].Port, "a");
        await using var there = await SystemClient.ConnectAsync(mesh[1].Port, "a");
        await using var other = await SystemClient.ConnectAsync(mesh[1].Port, "b");
        await here.SubscribeAsync("up", "both");
        await there.SubscribeAsync("down", "down", "both");
        await other.SubscribeAsync("other");
        foreach (var subject in (string[])["down", "both", "other"]) await ClusterMesh.AwaitInterestAsync(mesh[0], subject);
        foreach (var subject in (string[])["up", "both"]) await ClusterMesh.AwaitInterestAsync(mesh[1], subject);

        await using var stranger = await SystemClient.ConnectAsync(mesh[0].Port, "b");
        await stranger.SendAsync("PUB other 100\r\n" + new string('x', 100) + "\r\n");
        await there.SendAsync("PUB up 3\r\nabc\r\nPUB up 3\r\nabc\r\n");
        await here.SendAsync("PUB both 5\r\nabcde\r\nHPUB down 12 17\r\nNATS/1.0\r\n\r\nabcde\r\nPUB nobody 4\r\nabcd\r\n");

        await AccountTraffic.AwaitAsync(mesh[0], "A conns 1 leafs 0 total 1 slow 0 sent 5/33 routes 2/22 received 5/32 routes 2/6");
        await AccountTraffic.AwaitAsync(mesh[1], "A conns 1 leafs 0 total 1 slow 0 sent 5/45 routes 2/6 received 4/28 routes 2/22");

        await mesh[1].KillAsync();
        await ClusterMesh.AwaitPeersAsync(mesh[0], 0);
        await AccountTraffic.AwaitAsync(mesh[0], "A conns 1 leafs 0 total 1 slow 0 sent 5/33 routes 2/22 received 5/32 routes 2/6");
    }
}
