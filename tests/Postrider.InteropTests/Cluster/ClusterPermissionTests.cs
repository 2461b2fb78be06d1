using System.Text.Encodings.Web;
using System.Text.Json;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Leaf;

namespace Postrider.InteropTests.Cluster;

/// <summary>The interest that a server of a cluster shares with the others.</summary>
public sealed class ClusterPermissionTests
{
    private const string Permissions = "permissions { import { allow: [ \"in.>\", \"both\" ], deny: \"in.secret\" }, export { allow: [ \"out.>\", \"both\" ], deny: \"out.secret\" } }";

    private static readonly JsonSerializerOptions Relaxed = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(120);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static MatrixTheoryData<ServerKind, ServerKind> Pairs => ClusterMesh.Pairs;

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Permissions_decide_which_interest_crosses(ServerKind guarded, ServerKind open)
    {
        await using var first = await ClusterMesh.StartServerAsync(guarded, "s1", cluster: Permissions);
        await using var second = await ClusterMesh.StartServerAsync(open, "s2", cluster: $"routes [ \"nats-route://127.0.0.1:{await ClusterMesh.PortAsync(first)}\" ]");
        await ClusterMesh.AwaitPeersAsync(first, 1);
        await ClusterMesh.AwaitPeersAsync(second, 1);
        await using var here = await LeafPair.ConnectToAsync(first);
        await using var there = await LeafPair.ConnectToAsync(second);
        foreach (var subject in new[] { "in.secret", "elsewhere", "out.a", "in.a", "both" }) here.Subscribe<string>(subject);
        var received = there.Subscribe<string>("out.>");
        foreach (var subject in new[] { "out.secret", "elsewhere", "in.a", "out.a", "both" }) there.Subscribe<string>(subject);
        await here.FlushAsync(_ct);
        await there.FlushAsync(_ct);

        await ClusterMesh.AwaitInterestAsync(second, "both");
        await ClusterMesh.AwaitInterestAsync(first, "both");
        await here.PublishAsync("out.secret", "hidden", ct: _ct);
        await here.PublishAsync("out.b", "seen", ct: _ct);

        Assert.Equal(["both", "in.a"], await InterestAsync(second));
        Assert.Equal(["both", "out.>", "out.a"], await InterestAsync(first));
        Assert.Equal("seen", (await received.ReadAsync(_ct)).Data);
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Monitoring_shows_what_each_server_allows(ServerKind guarded, ServerKind open)
    {
        await using var first = await ClusterMesh.StartServerAsync(guarded, "s1", cluster: Permissions);
        await using var second = await ClusterMesh.StartServerAsync(open, "s2", cluster: $"routes [ \"nats-route://127.0.0.1:{await ClusterMesh.PortAsync(first)}\" ]");
        await ClusterMesh.AwaitPeersAsync(second, 1);

        var (own, other) = (await first.MonitorAsync("routez"), (await second.MonitorAsync("routez")).GetProperty("routes")[0]);

        foreach (var page in new[] { own, other })
        {
            Assert.Equal("{\"allow\":[\"in.>\",\"both\"],\"deny\":[\"in.secret\"]}", Compact(page.GetProperty("import")));
            Assert.Equal("{\"allow\":[\"out.>\",\"both\"],\"deny\":[\"out.secret\"]}", Compact(page.GetProperty("export")));
        }
        Assert.False((await second.MonitorAsync("routez")).TryGetProperty("import", out _));
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Changed_permissions_add_and_remove_interest_on_open_routes(ServerKind guarded, ServerKind open)
    {
        await using var first = await ClusterServer.StartAsync(guarded, "s1", "permissions { import: \"old\", export: \"old\" }");
        await using var second = await ClusterServer.StartAsync(open, "s2", $"routes [ \"nats-route://127.0.0.1:{await ClusterMesh.PortAsync(first.Process)}\" ]");
        await ClusterMesh.AwaitPeersAsync(first.Process, 1);
        await ClusterMesh.AwaitPeersAsync(second.Process, 1);
        await using var here = await LeafPair.ConnectToAsync(first.Process);
        await using var there = await LeafPair.ConnectToAsync(second.Process);
        foreach (var subject in new[] { "new", "old" })
        {
            here.Subscribe<string>(subject);
            there.Subscribe<string>(subject);
        }
        await here.FlushAsync(_ct);
        await there.FlushAsync(_ct);
        await ClusterMesh.AwaitInterestAsync(second.Process, "old");
        await ClusterMesh.AwaitInterestAsync(first.Process, "old");
        var routes = await IdsAsync(first.Process);

        await first.ReloadAsync("permissions { import: \"new\", export: \"new\" }");

        await ClusterMesh.AwaitInterestAsync(second.Process, "new");
        await ClusterMesh.AwaitInterestAsync(first.Process, "new");
        await ClusterMesh.AwaitInterestAsync(second.Process, "old", 0);
        await ClusterMesh.AwaitInterestAsync(first.Process, "old", 0);
        Assert.Equal(routes, await IdsAsync(first.Process));
    }

    private static async Task<List<string>> InterestAsync(ServerProcess server)
        => [.. (await server.MonitorAsync("routez?subs=1")).GetProperty("routes").EnumerateArray()
            .SelectMany(static route => route.TryGetProperty("subscriptions_list", out var list) ? list.EnumerateArray().Select(static one => one.GetString()!) : [])
            .Where(static subject => !subject.StartsWith('$') && !subject.StartsWith('_'))
            .Order(StringComparer.Ordinal)];

    private static async Task<List<ulong>> IdsAsync(ServerProcess server)
        => [.. (await server.MonitorAsync("routez")).GetProperty("routes").EnumerateArray().Select(static route => route.GetProperty("rid").GetUInt64()).Order()];

    private static string Compact(JsonElement element) => JsonSerializer.Serialize(element, Relaxed);
}
