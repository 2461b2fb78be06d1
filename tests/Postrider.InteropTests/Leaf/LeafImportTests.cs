using Postrider.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Leaf;

/// <summary>Leaf nodes whose account imports messages of another account.</summary>
public sealed class LeafImportTests
{
    private const string Accounts = """
        accounts {
          A { users [ { user: a, password: p } ], exports [ { stream: "ticks.>" }, { stream: "one" } ] }
          B { users [ { user: b, password: p } ], imports [ { stream: { account: A, subject: "ticks.>" }, prefix: "from.a" }, { stream: { account: A, subject: "one" }, to: "single" } ] }
        }
        """;

    private const string Remote = "{ url: \"nats-leaf://b:p@{url}\" }";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static MatrixTheoryData<ServerKind, ServerKind> Kinds => LeafPair.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Leaf_node_receives_what_its_account_imports_under_the_subject_it_imports_it_as(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke, Accounts, remote: Remote);
        var (edge, centre) = (await pair.ConnectAsync(pair.Spoke), await pair.ConnectAsync(pair.Hub, "a:p"));
        var (all, narrow, single) = (edge.Subscribe<string>("from.>"), edge.Subscribe<string>("from.a.ticks.eu"), edge.Subscribe<string>("single"));
        var (first, second) = (edge.Subscribe<string>("from.a.ticks.*", "team"), edge.Subscribe<string>("from.a.ticks.*", "team"));
        await edge.FlushAsync(_ct);
        foreach (var subject in new[] { "from.>", "from.a.ticks.eu", "single", "from.a.ticks.*" }) await LeafPair.AwaitInterestAsync(pair.Hub, subject);

        foreach (var region in new[] { "eu", "us" }) await centre.PublishAsync($"ticks.{region}", region, headers: new NatsHeaders { { "Kind", "tick" } }, ct: _ct);
        await centre.PublishAsync("one", "1", ct: _ct);

        var message = await all.ReadAsync(_ct);
        Assert.Equal(("from.a.ticks.eu", "eu", "tick"), (message.Subject, message.Data, message.Headers!["Kind"]!.ToString()));
        Assert.Equal("from.a.ticks.us", (await all.ReadAsync(_ct)).Subject);
        Assert.Equal("from.a.ticks.eu", (await narrow.ReadAsync(_ct)).Subject);
        Assert.Equal(("single", "1"), (await single.ReadAsync(_ct)) is var other ? (other.Subject, other.Data) : default);
        await edge.FlushAsync(_ct);
        Assert.False(all.TryRead(out _) || narrow.TryRead(out _) || single.TryRead(out _));
        Assert.Equal(2, Count(first) + Count(second));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task What_the_hub_maps_reaches_it_from_the_leaf_node(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke, "mappings { \"orders.*\": \"o.$1\" }");
        var (edge, centre) = (await pair.ConnectAsync(pair.Spoke), await pair.ConnectAsync(pair.Hub));
        var received = centre.Subscribe<string>("o.*");
        await centre.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Spoke, "orders.*");

        await edge.PublishAsync("orders.1", "new", ct: _ct);

        Assert.Equal("o.1", (await received.ReadAsync(_ct)).Subject);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Interest_that_ends_is_forgotten_in_the_exporting_account_too(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke, Accounts, remote: Remote);
        var (edge, centre) = (await pair.ConnectAsync(pair.Spoke), await pair.ConnectAsync(pair.Hub, "a:p"));
        await using var one = edge.Subscribe<string>("single");
        await using var more = edge.Subscribe<string>("from.a.ticks.eu");
        await edge.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Hub, "from.a.ticks.eu");
        await LeafPair.AwaitInterestAsync(pair.Hub, "single");
        await one.DisposeAsync();
        await edge.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Hub, "single", exists: false);
        var before = await SentAsync(pair.Hub);

        await centre.PublishAsync("one", "1", ct: _ct);
        await centre.PublishAsync("ticks.eu", "2", ct: _ct);

        Assert.Equal("2", (await more.ReadAsync(_ct)).Data);
        Assert.Equal(before + 1, await SentAsync(pair.Hub));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Hub_receives_what_the_leaf_nodes_account_imports(ServerKind hub, ServerKind spoke)
    {
        // The other way round: the remote's account is the importing one.
        await using var pair = await LeafPair.StartAsync(hub, spoke, spokeOptions: Accounts, remote: "account: B");
        var (centre, edge) = (await pair.ConnectAsync(pair.Hub), await pair.ConnectAsync(pair.Spoke, "a:p"));
        var received = centre.Subscribe<string>("from.a.ticks.>");
        await centre.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Spoke, "from.a.ticks.>");

        await edge.PublishAsync("ticks.eu", "eu", ct: _ct);

        var message = await received.ReadAsync(_ct);
        Assert.Equal(("from.a.ticks.eu", "eu"), (message.Subject, message.Data));
    }

    private static async Task<long> SentAsync(ServerProcess hub) => (await hub.MonitorAsync("leafz")).GetProperty("leafs")[0].GetProperty("out_msgs").GetInt64();

    private static int Count(NatsSubscription<string> subscription)
    {
        var count = 0;
        while (subscription.TryRead(out _)) count++;
        return count;
    }
}
