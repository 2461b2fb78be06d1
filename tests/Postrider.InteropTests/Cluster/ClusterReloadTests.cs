using Postrider.Client;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Leaf;

namespace Postrider.InteropTests.Cluster;

/// <summary>The pool of routes and the accounts with a route of their own change while the servers run.</summary>
public sealed class ClusterReloadTests
{
    private const string Accounts = "accounts { A { users [ { user: a, password: p } ] }, B { users [ { user: b, password: p } ] } }";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static MatrixTheoryData<ServerKind, ServerKind> Pairs => ClusterMesh.Pairs;

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Pool_gets_another_size(ServerKind first, ServerKind second)
    {
        await using var one = await ClusterServer.StartAsync(first, "s1", "pool_size: 2", Accounts);
        var route = $"routes [ \"nats-route://127.0.0.1:{await ClusterMesh.PortAsync(one.Process)}\" ]";
        await using var other = await ClusterServer.StartAsync(second, "s2", $"pool_size: 2\n{route}", Accounts);
        await AwaitRoutesAsync(one, 3);

        foreach (var size in new[] { 5, 1 })
        {
            await one.ReloadAsync($"pool_size: {size}");
            await other.ReloadAsync($"pool_size: {size}\n{route}");

            // One more is the system account's.
            await AwaitRoutesAsync(one, size + 1);
            await AwaitRoutesAsync(other, size + 1);
            foreach (var user in new[] { "a:p", "b:p" }) await AssertCrossesAsync(one, other, user, $"size.{size}.{user[0]}");
        }
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Account_gets_a_route_of_its_own_and_loses_it_again(ServerKind first, ServerKind second)
    {
        await using var one = await ClusterServer.StartAsync(first, "s1", "", Accounts);
        var route = $"routes [ \"nats-route://127.0.0.1:{await ClusterMesh.PortAsync(one.Process)}\" ]";
        await using var other = await ClusterServer.StartAsync(second, "s2", route, Accounts);
        await AwaitRoutesAsync(one, 4);
        await using var here = await LeafPair.ConnectToAsync(one.Process, "a:p");
        await using var there = await LeafPair.ConnectToAsync(other.Process, "a:p");
        var (toHere, toThere) = (here.Subscribe<string>("to.here"), there.Subscribe<string>("to.there"));
        await here.FlushAsync(_ct);
        await there.FlushAsync(_ct);
        await ClusterMesh.AwaitInterestAsync(one.Process, "to.there");
        await ClusterMesh.AwaitInterestAsync(other.Process, "to.here");

        foreach (var (accounts, routes, account) in new[] { ("accounts: [ A ]", 5, "A"), ("", 4, null), ("accounts: [ A ]", 5, "A") })
        {
            await one.ReloadAsync(accounts);
            await other.ReloadAsync($"{route}\n{accounts}");

            await AwaitRoutesAsync(one, routes);
            await AwaitRoutesAsync(other, routes);
            await AwaitOwnerAsync(one, "to.there", account);
            await AwaitOwnerAsync(other, "to.here", account);
            await here.PublishAsync("to.there", "there", ct: _ct);
            await there.PublishAsync("to.here", "here", ct: _ct);
            Assert.Equal("there", (await toThere.ReadAsync(_ct)).Data);
            Assert.Equal("here", (await toHere.ReadAsync(_ct)).Data);
            // Once.
            await there.FlushAsync(_ct);
            await here.FlushAsync(_ct);
            Assert.False(toThere.TryRead(out _) || toHere.TryRead(out _));
            await AssertCrossesAsync(one, other, "b:p", $"b.{routes}");
        }
    }

    private async Task AssertCrossesAsync(ClusterServer from, ClusterServer to, string user, string subject)
    {
        await using var here = await LeafPair.ConnectToAsync(from.Process, user);
        await using var there = await LeafPair.ConnectToAsync(to.Process, user);
        await using var received = there.Subscribe<string>(subject);
        await there.FlushAsync(_ct);
        await ClusterMesh.AwaitInterestAsync(from.Process, subject);

        await here.PublishAsync(subject, "yes", ct: _ct);

        Assert.Equal("yes", (await received.ReadAsync(_ct)).Data);
    }

    private static Task AwaitRoutesAsync(ClusterServer server, int count) => Eventually.HoldsAsync(
        async () => (await server.Process.MonitorAsync("routez")).GetProperty("num_routes").GetInt32() == count, Limit, what: $"{count} routes of {server.Process.Kind}");

    // The one route by which the other server wants the subject.
    private static Task AwaitOwnerAsync(ClusterServer server, string subject, string? account) => Eventually.HoldsAsync(
        async () => (await server.Process.MonitorAsync("routez?subs=1")).GetProperty("routes").EnumerateArray()
            .Where(route => route.TryGetProperty("subscriptions_list", out var list) && list.EnumerateArray().Any(one => one.GetString() == subject))
            .Select(static route => route.TryGetProperty("account", out var own) ? own.GetString() : null).ToList() is [var only] && only == account,
        Limit,
        what: $"{subject} on the route of {account ?? "the pool"} at {server.Process.Kind}");
}
