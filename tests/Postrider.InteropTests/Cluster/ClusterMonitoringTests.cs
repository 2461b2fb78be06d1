using System.Text.Json;
using Postrider.Client;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Leaf;

namespace Postrider.InteropTests.Cluster;

/// <summary>What <c>/routez</c> and the system account's ROUTEZ say of subscriptions: the same as Go's.</summary>
public sealed class ClusterMonitoringTests
{
    private const string Accounts = "accounts { SYS { users [ { user: sys, password: p } ] }, A { users [ { user: a, password: p } ] } }\nsystem_account: SYS\nno_auth_user: a\nleafnodes { listen: \"127.0.0.1:-1\" }";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(120);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static MatrixTheoryData<ServerKind, ServerKind> Pairs => ClusterMesh.Pairs;

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Subscriptions_are_listed_by_subject_and_in_detail(ServerKind asked, ServerKind other)
    {
        await using var mesh = await ClusterMesh.StartAsync([asked, other], Accounts);
        await using var spoke = await LeafPair.StartSpokeAsync(ServerKind.Go, "edge", $"a:p@127.0.0.1:{await LeafPair.LeafPortAsync(mesh[1])}");
        await LeafPair.AwaitLinksAsync(spoke, 1);
        var (here, there, edge) = (await mesh.ConnectAsync(mesh[0]), await mesh.ConnectAsync(mesh[1]), await mesh.ConnectAsync(spoke));
        var plain = there.Subscribe<string>("det.plain");
        there.Subscribe<string>("det.queue", "team");
        edge.Subscribe<string>("det.leaf");
        await there.FlushAsync(_ct);
        await edge.FlushAsync(_ct);
        foreach (var subject in new[] { "det.plain", "det.queue", "det.leaf" }) await ClusterMesh.AwaitInterestAsync(mesh[0], subject);
        for (var i = 0; i < 3; i++) await here.PublishAsync("det.plain", $"{i}", ct: _ct);
        for (var i = 0; i < 3; i++) Assert.Equal($"{i}", (await plain.ReadAsync(_ct)).Data);

        var (list, detail) = (await mesh[0].MonitorAsync("routez?subs=1"), await mesh[0].MonitorAsync("routez?subs=detail"));

        Assert.Equal(["det.leaf", "det.plain", "det.queue"], Routes(list, "subscriptions_list").Select(static one => one.GetString()).Where(static one => one!.StartsWith("det.", StringComparison.Ordinal)).Order());
        Assert.False(Routes(list, "subscriptions_list_detail").Any() || Routes(detail, "subscriptions_list").Any());
        var route = detail.GetProperty("routes").EnumerateArray().Single(static one => Details(one).Any(static sub => sub.GetProperty("subject").GetString() == "det.plain"));
        var id = route.GetProperty("rid").GetUInt64();
        Assert.Equal(
            [
                $"{{\"subject\":\"det.leaf\",\"sid\":\"L edge A det.leaf\",\"msgs\":0,\"cid\":{id}}}",
                $"{{\"subject\":\"det.plain\",\"sid\":\"R A det.plain\",\"msgs\":3,\"cid\":{id}}}",
                $"{{\"subject\":\"det.queue\",\"qgroup\":\"team\",\"sid\":\"R A det.queue team\",\"msgs\":0,\"cid\":{id}}}",
            ],
            Details(route).Where(static sub => sub.GetProperty("subject").GetString()!.StartsWith("det.", StringComparison.Ordinal)).Select(Compact).Order(StringComparer.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task System_account_is_told_the_same(ServerKind asked, ServerKind other)
    {
        await using var mesh = await ClusterMesh.StartAsync([asked, other], Accounts);
        var (system, there) = (await mesh.ConnectAsync(mesh[0], "sys:p"), await mesh.ConnectAsync(mesh[1]));
        there.Subscribe<string>("det.plain");
        await there.FlushAsync(_ct);
        await ClusterMesh.AwaitInterestAsync(mesh[0], "det.plain");
        var id = (await mesh[0].MonitorAsync("varz")).GetProperty("server_id").GetString();

        foreach (var (options, page) in new[] { ("{\"subscriptions\":true}", "routez?subs=1"), ("{\"subscriptions_detail\":true}", "routez?subs=detail"), ("{}", "routez") })
        {
            var answer = JsonDocument.Parse((await system.RequestAsync<string, string>($"$SYS.REQ.SERVER.{id}.ROUTEZ", options, Limit, ct: _ct)).Data!).RootElement.GetProperty("data");

            Assert.Equal(Subjects(await mesh[0].MonitorAsync(page)), Subjects(answer));
        }
    }

    // Of accounts that change: subscriptions of the servers among each other come and go.
    private static List<string> Subjects(JsonElement page) =>
    [
        .. Routes(page, "subscriptions_list").Select(static one => one.GetString()!).Concat(Routes(page, "subscriptions_list_detail").Select(static one => one.GetProperty("sid").GetString()!))
            .Where(static one => one.EndsWith("det.plain", StringComparison.Ordinal)),
    ];

    private static IEnumerable<JsonElement> Routes(JsonElement page, string name)
        => page.GetProperty("routes").EnumerateArray().SelectMany(route => route.TryGetProperty(name, out var list) ? list.EnumerateArray().ToArray() : []);

    private static List<JsonElement> Details(JsonElement route) => route.TryGetProperty("subscriptions_list_detail", out var list) ? [.. list.EnumerateArray()] : [];

    private static string Compact(JsonElement element) => string.Concat(element.GetRawText().Split('\n').Select(static line => line.Trim())).Replace("\": ", "\":", StringComparison.Ordinal);
}
