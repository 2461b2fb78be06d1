using Postrider.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Leaf;

/// <summary>More than two servers: chains, circles, several leaf nodes of one hub, and changes while they run.</summary>
public sealed class LeafTopologyTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static MatrixTheoryData<ServerKind, ServerKind> Kinds => LeafPair.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Chain_carries_messages_from_end_to_end(ServerKind ends, ServerKind middle)
    {
        await using var hub = await LeafPair.StartHubAsync(ends);
        await using var mid = await StartMiddleAsync(middle, "mid", await LeafPair.LeafPortAsync(hub));
        await LeafPair.AwaitLinksAsync(hub, 1);
        await using var left = await LeafPair.StartSpokeAsync(ends, "left", $"127.0.0.1:{await LeafPair.LeafPortAsync(mid)}");
        await using var right = await LeafPair.StartSpokeAsync(ends, "right", $"127.0.0.1:{await LeafPair.LeafPortAsync(mid)}");
        await LeafPair.AwaitLinksAsync(mid, 3);
        ServerProcess[] servers = [hub, mid, left, right];
        var clients = new List<NatsClient>();
        var received = new List<NatsSubscription<string>>();
        foreach (var server in servers)
        {
            var client = await LeafPair.ConnectToAsync(server);
            clients.Add(client);
            received.Add(client.Subscribe<string>("news"));
            await client.FlushAsync(_ct);
        }
        await LeafPair.AwaitInterestAsync(hub, "news");
        await LeafPair.AwaitInterestAsync(mid, "news", count: 3);
        await LeafPair.AwaitInterestAsync(left, "news");
        await LeafPair.AwaitInterestAsync(right, "news");

        for (var i = 0; i < servers.Length; i++) await clients[i].PublishAsync("news", $"from {i}", ct: _ct);

        foreach (var subscription in received)
        {
            var heard = new List<string>();
            while (heard.Count < servers.Length) heard.Add((await subscription.ReadAsync(_ct)).Data!);
            Assert.Equal(["from 0", "from 1", "from 2", "from 3"], heard.Order(StringComparer.Ordinal));
        }
        // A request goes the whole way and back.
        await using var service = clients[3].Subscribe<string>("ask", async (message, ct) => await message.ReplyAsync(message.Data + "!", ct: ct));
        await clients[3].FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(left, "ask");
        Assert.Equal("why!", (await clients[2].RequestAsync<string, string>("ask", "why", Limit, ct: _ct)).Data);
        for (var i = 0; i < servers.Length; i++) Assert.False(received[i].TryRead(out _));
        foreach (var client in clients) await client.DisposeAsync();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Circle_is_detected(ServerKind two, ServerKind one)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-leaf-").FullName;
        string LogOf(string name) => Path.Combine(folder, name + ".log");
        await using var hub = await LeafPair.StartHubAsync(two, $"log_file: \"{LogOf("hub")}\"");
        var hubPort = await LeafPair.LeafPortAsync(hub);
        await using var mid = await StartMiddleAsync(two, "mid", hubPort, $"log_file: \"{LogOf("mid")}\"");
        await LeafPair.AwaitLinksAsync(hub, 1);
        var midPort = await LeafPair.LeafPortAsync(mid);

        await using var last = await ServerProcess.StartAsync(one, "-m", "-1", "-c", ServerProcess.WriteConfiguration(
            $"server_name: last\nlog_file: \"{LogOf("last")}\"\nleafnodes {{ remotes [ {{ url: \"nats-leaf://127.0.0.1:{hubPort}\" }}, {{ url: \"nats-leaf://127.0.0.1:{midPort}\" }} ] }}"));

        await Eventually.HoldsAsync(() => new[] { "hub", "mid", "last" }.Any(name => File.Exists(LogOf(name)) && File.ReadAllText(LogOf(name)).Contains("Loop detected for leafnode account=\"$G\"", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(ServerKind.Postrider, ServerKind.Postrider)]
    [InlineData(ServerKind.Postrider, ServerKind.Go)]
    [InlineData(ServerKind.Go, ServerKind.Postrider)]
    public async Task Servers_that_are_leaf_nodes_of_each_other_keep_one_connection(ServerKind first, ServerKind second)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-leaf-").FullName;
        var (firstPort, secondPort) = (FreePort.Find(), FreePort.Find());
        await using var one = await StartAsync(first, "one", firstPort, secondPort);
        await using var two = await StartAsync(second, "two", secondPort, firstPort);
        // The connection of the second server stands; that of the first one comes within its pause, and would close the loop.
        await Eventually.HoldsAsync(() => Log("one").Contains("Loop detected", StringComparison.Ordinal) || Log("two").Contains("Loop detected", StringComparison.Ordinal));

        await LeafPair.AwaitLinksAsync(one, 1);
        await LeafPair.AwaitLinksAsync(two, 1);
        await using var here = await LeafPair.ConnectToAsync(one);
        await using var there = await LeafPair.ConnectToAsync(two);
        await using var received = there.Subscribe<string>("news");
        await there.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(one, "news");
        for (var i = 0; i < 10; i++) await here.PublishAsync("news", $"{i}", ct: _ct);
        for (var i = 0; i < 10; i++) Assert.Equal($"{i}", (await received.ReadAsync(_ct)).Data);
        await here.FlushAsync(_ct);
        await there.FlushAsync(_ct);
        Assert.False(received.TryRead(out _));

        string Log(string name) => File.Exists(Path.Combine(folder, name)) ? File.ReadAllText(Path.Combine(folder, name)) : "";

        Task<ServerProcess> StartAsync(ServerKind kind, string name, int port, int other) => ServerProcess.StartAsync(kind, "-m", "-1", "-c", ServerProcess.WriteConfiguration(
            $"server_name: {name}\nlog_file: \"{Path.Combine(folder, name)}\"\nleafnodes {{ listen: \"127.0.0.1:{port}\", reconnect: \"1s\", remotes [ {{ url: \"nats-leaf://127.0.0.1:{other}\" }} ] }}"));
    }

    [Fact]
    public async Task Leaf_node_of_a_restricted_user_is_not_told_by_which_subject_another_one_finds_loops()
    {
        await using var hub = await LeafPair.StartHubAsync(ServerKind.Postrider, """
            accounts { APP { users [
              { user: all, password: p }
              { user: few, password: p, permissions: { publish: "ok.>", subscribe: "in.>" } } ] } }
            """);
        var port = await LeafPair.LeafPortAsync(hub);
        await using var spoke = await LeafPair.StartSpokeAsync(ServerKind.Postrider, "spoke", $"all:p@127.0.0.1:{port}");
        await LeafPair.AwaitLinksAsync(hub, 1);

        // That of the leaf node comes after its connection counts.
        await Eventually.HoldsAsync(async () => await CountLoopSubjectsAsync("all") == 2);
        Assert.Equal(1, await CountLoopSubjectsAsync("few"));
        await LeafPair.AwaitLinksAsync(hub, 1);

        // The hub's own, and those of other leaf nodes.
        async Task<int> CountLoopSubjectsAsync(string user)
        {
            await using var leaf = await RawConnection.OpenAsync(port);
            await leaf.SendAsync($"CONNECT {{\"user\":\"{user}\",\"pass\":\"p\",\"name\":\"{user}\",\"headers\":true}}\r\nPING\r\n");
            Assert.True(await leaf.UntilAsync(static text => text.Contains("PONG\r\n", StringComparison.Ordinal)), leaf.Received);
            return leaf.Received.Split("LS+ $LDS.").Length - 1;
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Solicited_server_may_be_the_leaf_node(ServerKind hub, ServerKind spoke)
    {
        // The one that connects is the hub.
        await using var pair = await LeafPair.StartAsync(spoke, hub, remote: "hub: true");

        Assert.True((await pair.Hub.MonitorAsync("leafz")).GetProperty("leafs")[0].GetProperty("is_spoke").GetBoolean());
        Assert.False((await pair.Spoke.MonitorAsync("leafz")).GetProperty("leafs")[0].GetProperty("is_spoke").GetBoolean());
        var (one, other) = (await pair.ConnectAsync(pair.Hub), await pair.ConnectAsync(pair.Spoke));
        var received = one.Subscribe<string>("news");
        await one.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Spoke, "news");
        await other.PublishAsync("news", "hello", ct: _ct);
        Assert.Equal("hello", (await received.ReadAsync(_ct)).Data);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Isolated_leaf_nodes_are_not_told_of_each_other(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke, listener: "isolate: true");
        await using var second = await LeafPair.StartSpokeAsync(spoke, "second", pair.Link.HostAndPort);
        await LeafPair.AwaitLinksAsync(pair.Hub, 2);
        var (edge, centre) = (await pair.ConnectAsync(pair.Spoke), await pair.ConnectAsync(pair.Hub));
        edge.Subscribe<string>("news.edge");
        await edge.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Hub, "news.edge");
        centre.Subscribe<string>("news.centre");
        await centre.FlushAsync(_ct);

        await LeafPair.AwaitInterestAsync(second, "news.centre");

        Assert.Equal(0, await LeafPair.CountInterestAsync(second, "news.edge"));
        Assert.True((await pair.Hub.MonitorAsync("leafz")).GetProperty("leafs").EnumerateArray().All(leaf => leaf.GetProperty("is_isolated").GetBoolean()));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Queue_group_of_two_leaf_nodes_shares_by_its_members(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke);
        await using var second = await LeafPair.StartSpokeAsync(spoke, "second", pair.Link.HostAndPort);
        await LeafPair.AwaitLinksAsync(pair.Hub, 2);
        var (edge, other, centre) = (await pair.ConnectAsync(pair.Spoke), await pair.ConnectAsync(second), await pair.ConnectAsync(pair.Hub));
        var one = edge.Subscribe<int>("work", "team");
        var many = Enumerable.Range(0, 9).Select(_ => other.Subscribe<int>("work", "team")).ToList();
        await edge.FlushAsync(_ct);
        await other.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Hub, "work", count: 2);
        // The weight comes with the members; a request that is answered behind them has it.
        await using var marker = other.Subscribe<string>("marker", async (message, ct) => await message.ReplyAsync("yes", ct: ct));
        await other.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Hub, "marker");
        await centre.RequestAsync<string, string>("marker", "?", Limit, ct: _ct);

        for (var i = 0; i < 1000; i++) await centre.PublishAsync("work", i, ct: _ct);

        await Eventually.HoldsAsync(() => one.PendingMessages + many.Sum(static member => member.PendingMessages) == 1000);
        // Nine of ten members are there: 900 on average, with a deviation of 10.
        Assert.InRange(many.Sum(static member => member.PendingMessages), 800, 980);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Next_address_is_tried_when_one_fails(ServerKind hub, ServerKind spoke)
    {
        await using var centre = await LeafPair.StartHubAsync(hub);
        await using var gone = new LinkProxy(1);
        gone.Cut();

        await using var edge = await LeafPair.StartSpokeAsync(
            spoke, "edge", $"127.0.0.1:{await LeafPair.LeafPortAsync(centre)}", remote: $"{{ urls: [\"nats-leaf://{gone.HostAndPort}\", \"nats-leaf://{{url}}\"], no_randomize: true }}");

        await LeafPair.AwaitLinksAsync(edge, 1);
        await LeafPair.AwaitLinksAsync(centre, 1);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Many_subscriptions_are_known_at_once_after_the_link_came(ServerKind hub, ServerKind spoke)
    {
        const int Count = 5000;
        await using var pair = await LeafPair.StartAsync(hub, spoke);
        var edge = await pair.ConnectAsync(pair.Spoke);
        for (var i = 0; i < Count; i++) edge.SubscribeRaw($"many.{i}", static _ => { });
        await edge.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Hub, $"many.{Count - 1}");

        pair.Link.Cut();
        await LeafPair.AwaitLinksAsync(pair.Hub, 0);
        pair.Link.Heal();

        await LeafPair.AwaitLinksAsync(pair.Hub, 1);
        await LeafPair.AwaitInterestAsync(pair.Hub, $"many.{Count - 1}");
        await Eventually.HoldsAsync(async () => (await pair.Hub.MonitorAsync("leafz?subs=1")).GetProperty("leafs")[0].GetProperty("subscriptions_list").EnumerateArray()
            .Count(one => one.GetString()!.StartsWith("many.", StringComparison.Ordinal)) == Count);
    }

    private static Task<ServerProcess> StartMiddleAsync(ServerKind kind, string name, int hubPort, string more = "") => ServerProcess.StartAsync(
        kind, "-m", "-1", "-c", ServerProcess.WriteConfiguration($"server_name: {name}\n{more}\nleafnodes {{ listen: \"127.0.0.1:-1\", remotes [ {{ url: \"nats-leaf://127.0.0.1:{hubPort}\" }} ] }}"));
}
