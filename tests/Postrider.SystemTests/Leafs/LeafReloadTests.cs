using Postrider.Broker;
using Postrider.Broker.Monitoring;

namespace Postrider.SystemTests.Leafs;

/// <summary>Reloads that change leaf nodes, and what monitoring shows of them.</summary>
public sealed class LeafReloadTests
{
    [Fact]
    public async Task Remotes_come_and_go_with_a_reload()
    {
        await using var first = await StartHubAsync("first");
        await using var second = await StartHubAsync("second");
        await using var edge = await NatsBroker.StartAsync(Edge(first));
        await AwaitAsync(edge, "first");

        edge.Reload(Edge(first, second));
        await AwaitAsync(edge, "first", "second");
        var kept = edge.State.LeafNodes(false).Single(leaf => leaf.Name == "first").Id;
        edge.Reload(Edge(second, first));
        await AwaitAsync(edge, "first", "second");
        Assert.Equal(kept, edge.State.LeafNodes(false).Single(leaf => leaf.Name == "first").Id);

        edge.Reload(Edge(second));
        await AwaitAsync(edge, "second");
        await Eventually.HoldsAsync(() => first.State.LeafNodes(false).Count == 0);

        edge.Reload(Edge());
        await AwaitAsync(edge);
        await Eventually.HoldsAsync(() => second.State.LeafNodes(false).Count == 0);
    }

    [Fact]
    public async Task Leaf_node_whose_user_is_gone_or_restricted_is_cut_off_and_comes_back()
    {
        await using var hub = await NatsBroker.StartAsync(Hub("hub", new LeafUserOptions { Name = "a", Password = "x" }, new LeafUserOptions { Name = "b", Password = "y" }));
        var url = $"nats-leaf://{{0}}@{hub.LeafNodeEndPoint}";
        await using var one = await NatsBroker.StartAsync(Edge("one", string.Format(null, url, "a:x")));
        await using var two = await NatsBroker.StartAsync(Edge("two", string.Format(null, url, "b:y")));
        await Eventually.HoldsAsync(() => hub.State.LeafNodes(false).Count == 2);
        var staying = hub.State.LeafNodes(false).Single(leaf => leaf.Name == "two").Id;

        hub.Reload(Hub("hub", new LeafUserOptions { Name = "b", Password = "y" }) with { Port = BrokerOptions.RandomPort });

        await Eventually.HoldsAsync(() => hub.State.LeafNodes(false).Count == 1);
        Assert.Equal(("two", staying), (hub.State.LeafNodes(false)[0].Name, hub.State.LeafNodes(false)[0].Id));
    }

    [Fact]
    public async Task Address_of_the_listener_does_not_change_with_a_reload()
    {
        await using var hub = await StartHubAsync("hub");

        var error = Assert.Throws<BrokerException>(() => hub.Reload(new BrokerOptions { Port = BrokerOptions.RandomPort, ServerName = "hub" }));

        Assert.Equal("config reload not supported for LeafNode: old=127.0.0.1:-1, new=none", error.Message);
    }

    [Fact]
    public async Task Account_has_no_more_leaf_nodes_than_it_may_have()
    {
        await using var hub = await NatsBroker.StartAsync(Hub("hub") with { Accounts = [new AccountOptions { Name = AccountOptions.GlobalName, MaxLeafNodes = 1 }] });
        await using var one = await NatsBroker.StartAsync(Edge(hub));
        await Eventually.HoldsAsync(() => hub.State.LeafNodes(false).Count == 1);
        await using var two = await NatsBroker.StartAsync(Edge("two", $"nats-leaf://{hub.LeafNodeEndPoint}"));

        // The second one is refused as often as it comes.
        await Eventually.HoldsAsync(() => two.State.LeafNodes(false).Count == 0 && hub.State.LeafNodes(false) is [{ Name: "edge" }]);
        await one.StopAsync();

        await Eventually.HoldsAsync(() => hub.State.LeafNodes(false) is [{ Name: "two" }]);
    }

    [Fact]
    public async Task Monitoring_shows_connections_and_remotes()
    {
        await using var hub = await StartHubAsync("hub");
        var options = Edge("edge", $"nats-leaf://user:secret@{hub.LeafNodeEndPoint}");
        options.LeafNodes!.Remotes[0].DenyImports = ["a"];
        await using var edge = await NatsBroker.StartAsync(options);
        await AwaitAsync(edge, "hub");
        await Eventually.HoldsAsync(() => hub.State.LeafNodes(true) is [{ SubscriptionCount: > 0 }]);

        var (atHub, atEdge) = (new BrokerMonitor(hub.State), new BrokerMonitor(edge.State));

        Assert.Equal((1, 0, hub.LeafNodeEndPoint!.Port), (atHub.ReadVarz().LeafNodes, atHub.ReadVarz().Remotes, atHub.ReadVarz().Leaf.Port));
        Assert.Equal((1, 1, 0), (atEdge.ReadVarz().LeafNodes, atEdge.ReadVarz().Remotes, atEdge.ReadVarz().Leaf.Port));
        var remote = Assert.Single(atEdge.ReadVarz().Leaf.Remotes!);
        Assert.Equal(("$G", hub.LeafNodeEndPoint.ToString(), "a"), (remote.LocalAccount, remote.Urls[0], remote.Deny!.Imports![0]));
        var leaf = Assert.Single(atHub.ReadLeafz("", withSubscriptions: true).Connections);
        Assert.Equal(("edge", false, "$G", "s2_fast", leaf.SubscriptionCount), (leaf.Name, leaf.IsSpoke, leaf.Account, leaf.Compression, leaf.Subscriptions!.Count));
        Assert.True(Assert.Single(atEdge.ReadLeafz("$G", withSubscriptions: false).Connections).IsSpoke);
        Assert.Empty(atEdge.ReadLeafz("other", withSubscriptions: false).Connections);
    }

    private static Task<NatsBroker> StartHubAsync(string name) => NatsBroker.StartAsync(Hub(name));

    private static BrokerOptions Hub(string name, params LeafUserOptions[] users) => new()
    {
        Port = BrokerOptions.RandomPort,
        ServerName = name,
        LeafNodes = new LeafNodeOptions { Port = BrokerOptions.RandomPort, Users = users, Compression = new ServerCompressionOptions { Mode = ServerCompressionMode.Accept } },
    };

    private static BrokerOptions Edge(params NatsBroker[] hubs) => Edge("edge", [.. hubs.Select(static hub => $"nats-leaf://{hub.LeafNodeEndPoint}")]);

    private static BrokerOptions Edge(string name, params string[] urls) => new()
    {
        Port = BrokerOptions.RandomPort,
        ServerName = name,
        LeafNodes = new LeafNodeOptions { ReconnectInterval = TimeSpan.FromMilliseconds(50), Remotes = [.. urls.Select(static url => new LeafRemoteOptions { Urls = [url] })] },
    };

    private static Task AwaitAsync(NatsBroker broker, params string[] names)
        => Eventually.HoldsAsync(() => broker.State.LeafNodes(false).Select(static leaf => leaf.Name).Order(StringComparer.Ordinal).SequenceEqual(names.Order(StringComparer.Ordinal)));
}
