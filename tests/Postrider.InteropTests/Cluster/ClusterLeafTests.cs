using System.Globalization;
using Postrider.Client;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Leaf;

namespace Postrider.InteropTests.Cluster;

/// <summary>Two clusters, one of which is the other one's leaf node at each of its servers.</summary>
public sealed class ClusterLeafTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(120);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    /// <summary>The servers of the hub's cluster, and those of the leaf node's: Go's alone is the yardstick.</summary>
    public static TheoryData<ServerKind, ServerKind, ServerKind, ServerKind> Fours => new()
    {
        { ServerKind.Go, ServerKind.Go, ServerKind.Go, ServerKind.Go },
        { ServerKind.Postrider, ServerKind.Postrider, ServerKind.Postrider, ServerKind.Postrider },
        { ServerKind.Postrider, ServerKind.Go, ServerKind.Go, ServerKind.Postrider },
        { ServerKind.Go, ServerKind.Postrider, ServerKind.Postrider, ServerKind.Postrider },
        { ServerKind.Postrider, ServerKind.Postrider, ServerKind.Go, ServerKind.Go },
    };

    /// <summary>Two hubs of a cluster and a leaf node of the first one.</summary>
    public static MatrixTheoryData<ServerKind, ServerKind, ServerKind> Hubs => new(Enum.GetValues<ServerKind>(), Enum.GetValues<ServerKind>(), Enum.GetValues<ServerKind>());

    [Theory]
    [MemberData(nameof(Hubs))]
    public async Task Leaf_node_goes_on_to_a_hub_that_joined_the_cluster_of_its_own_later(ServerKind one, ServerKind two, ServerKind leaf)
    {
        const string Listener = "leafnodes { listen: \"127.0.0.1:-1\" }";
        await using var first = await ClusterMesh.StartServerAsync(one, "first", Listener);
        await using var edge = await ServerProcess.StartAsync(leaf, "-m", "-1", "-c", ServerProcess.WriteConfiguration(
            $"server_name: edge\nleafnodes {{ reconnect: \"200ms\", remotes [ {{ url: \"nats-leaf://127.0.0.1:{await LeafPair.LeafPortAsync(first)}\" }} ] }}\n"));
        await LeafPair.AwaitLinksAsync(edge, 1);
        await using var second = await ClusterMesh.StartServerAsync(two, "second", Listener, $"routes [ \"nats-route://127.0.0.1:{await ClusterMesh.PortAsync(first)}\" ]");
        await ClusterMesh.AwaitPeersAsync(first, 1);
        // What the first hub announces to leaf nodes that come now, it has announced to those that are connected.
        await Eventually.HoldsAsync(async () => await AnnouncedUrlsAsync(first) is { Count: 2 }, what: "the address of the other hub");

        await first.KillAsync();

        await LeafPair.AwaitLinksAsync(second, 1);
        Assert.Equal([$"127.0.0.1:{await LeafPair.LeafPortAsync(second)}"], await AnnouncedUrlsAsync(second));
        await using var centre = await LeafPair.ConnectToAsync(second);
        await using var client = await LeafPair.ConnectToAsync(edge);
        await using var echo = client.Subscribe<string>("echo", static async (message, ct) => await message.ReplyAsync("here", ct: ct));
        await client.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(second, "echo");
        Assert.Equal("here", (await centre.RequestAsync<string, string>("echo", "", ct: _ct)).Data);
    }

    [Theory]
    [MemberData(nameof(Fours))]
    public async Task Each_message_arrives_once_at_every_server_of_both(ServerKind one, ServerKind two, ServerKind three, ServerKind four)
    {
        await using var hubs = await ClusterMesh.StartAsync([one, two], "leafnodes { listen: \"127.0.0.1:-1\" }");
        await using var edges = await StartEdgesAsync(hubs, three, four);
        ServerProcess[] servers = [.. hubs.Servers, .. edges.Servers];
        var clients = new List<NatsClient>();
        var received = new List<NatsSubscription<string>>();
        foreach (var server in servers)
        {
            clients.Add(await hubs.ConnectAsync(server));
            received.Add(clients[^1].Subscribe<string>("news.>"));
            await clients[^1].FlushAsync(_ct);
        }
        await AwaitNewsAsync(hubs, edges);

        for (var i = 0; i < 20; i++)
            for (var from = 0; from < servers.Length; from++) await clients[from].PublishAsync($"news.{from}", $"{i}", ct: _ct);

        for (var at = 0; at < servers.Length; at++)
        {
            var taken = new List<string>();
            while (taken.Count < 20 * servers.Length) taken.Add((await received[at].ReadAsync(_ct)) is var message ? $"{message.Subject} {message.Data}" : "");
            Assert.Equal(servers.SelectMany((_, from) => Enumerable.Range(0, 20).Select(i => $"news.{from} {i}")).Order(StringComparer.Ordinal), taken.Order(StringComparer.Ordinal));
        }
        // Nothing more is under way: each server answers for what it has sent before.
        for (var from = 0; from < servers.Length; from++) await clients[from].PublishAsync("news.last", "", ct: _ct);
        for (var at = 0; at < servers.Length; at++)
            for (var i = 0; i < servers.Length; i++) Assert.Equal("news.last", (await received[at].ReadAsync(_ct)).Subject);
    }

    [Theory]
    [MemberData(nameof(Fours))]
    public async Task Queue_group_of_the_leaf_nodes_cluster_gets_each_message_once(ServerKind one, ServerKind two, ServerKind three, ServerKind four)
    {
        await using var hubs = await ClusterMesh.StartAsync([one, two], "leafnodes { listen: \"127.0.0.1:-1\" }");
        await using var edges = await StartEdgesAsync(hubs, three, four);
        var (first, second) = (await hubs.ConnectAsync(edges[0]), await hubs.ConnectAsync(edges[1]));
        var members = new[] { first.Subscribe<string>("work", "team"), second.Subscribe<string>("work", "team") };
        await first.FlushAsync(_ct);
        await second.FlushAsync(_ct);
        foreach (var hub in hubs.Servers) await LeafPair.AwaitInterestAsync(hub, "work");
        await edges.AwaitInterestOfAsync(edges[0], "work");
        await edges.AwaitInterestOfAsync(edges[1], "work");
        var centre = await hubs.ConnectAsync(hubs[0]);

        for (var i = 0; i < 60; i++)
        {
            await centre.PublishAsync("work", $"{i}", ct: _ct);
            await second.PublishAsync("work", $"{100 + i}", ct: _ct);
        }

        var taken = new List<int>();
        await Eventually.HoldsAsync(
            () =>
            {
                foreach (var member in members)
                    while (member.TryRead(out var message)) taken.Add(int.Parse(message.Data!, CultureInfo.InvariantCulture));
                return taken.Count >= 120;
            },
            Limit);
        Assert.Equal(Enumerable.Range(0, 60).Concat(Enumerable.Range(100, 60)), taken.Order());
    }

    private static async Task<ClusterMesh> StartEdgesAsync(ClusterMesh hubs, ServerKind three, ServerKind four)
    {
        var edges = await ClusterMesh.StartLeafNodesAsync("edge", [three, four], hubs);
        foreach (var server in edges.Servers) await LeafPair.AwaitLinksAsync(server, 1);
        return edges;
    }

    // Hubs know it of their leaf node and of each other, leaf nodes of their hub and of each other.
    private static async Task AwaitNewsAsync(ClusterMesh hubs, ClusterMesh edges)
    {
        foreach (var server in hubs.Servers.Concat(edges.Servers))
        {
            await ClusterMesh.AwaitInterestAsync(server, "news.>");
            await LeafPair.AwaitInterestAsync(server, "news.>");
        }
    }

    private static async Task<IReadOnlyList<string>> AnnouncedUrlsAsync(ServerProcess hub)
    {
        await using var leaf = await RawConnection.OpenAsync(await LeafPair.LeafPortAsync(hub));
        using var info = System.Text.Json.JsonDocument.Parse(leaf.Info);
        return [.. info.RootElement.GetProperty("leafnode_urls").EnumerateArray().Select(static url => url.GetString()!)];
    }
}
