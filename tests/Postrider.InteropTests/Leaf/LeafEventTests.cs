using System.Globalization;
using System.Text.Json;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.SystemAccount;

namespace Postrider.InteropTests.Leaf;

/// <summary>How a server announces, lists and closes its leaf node connections: as Go's.</summary>
public sealed class LeafEventTests
{
    private const string Accounts = "accounts { SYS { users [ { user: sys, password: p } ] }, A { users [ { user: a, password: p } ] } }\nsystem_account: SYS";
    // Its users are those for clients: nats-server does not announce leaf nodes that authenticate as a user of the listener itself.
    private const string Listener = "";
    private const string Remote = "{ url: \"nats-leaf://a:p@{url}\", account: A }";

    [Theory]
    [InlineData(true, "CONNECT", "type client.host client.acc client.user client.name client.ver client.name_tag client.kind")]
    [InlineData(true, "DISCONNECT", "type client.host client.acc client.user client.name client.ver client.name_tag client.kind sent received reason")]
    [InlineData(false, "CONNECT", "type client.host client.acc client.name_tag client.kind")]
    [InlineData(false, "DISCONNECT", "type client.host client.acc client.name_tag client.kind sent received reason")]
    public async Task Leaf_node_is_announced_as_by_Go(bool isHub, string which, string values)
    {
        var events = new Dictionary<ServerKind, JsonElement>();
        foreach (var kind in Enum.GetValues<ServerKind>())
            events[kind] = JsonDocument.Parse(isHub ? await WatchHubAsync(kind, which) : await WatchSpokeAsync(kind, which)).RootElement;

        Assert.Equal(SystemServers.ShapeOf(events[ServerKind.Go].GetRawText()), SystemServers.ShapeOf(events[ServerKind.Postrider].GetRawText()));
        Assert.All(values.Split(' '), name => Assert.Equal($"{name} {JsonShape.ValueOf(events[ServerKind.Go], name)}", $"{name} {JsonShape.ValueOf(events[ServerKind.Postrider], name)}"));
    }

    [Fact]
    public async Task Rejected_leaf_node_is_announced_as_by_Go()
    {
        var found = new Dictionary<ServerKind, IEnumerable<string>>();
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            await using var hub = await LeafPair.StartHubAsync(kind, Accounts, Listener);
            await using var watcher = await SystemClient.ConnectAsync(hub.Port, "sys");
            await watcher.SubscribeAsync($"$SYS.SERVER.{watcher.ServerId}.CLIENT.AUTH.ERR");
            await using var spoke = await StartSpokeAsync(ServerKind.Go, hub, Remote.Replace(":p@", ":wrong@", StringComparison.Ordinal));

            var payload = (await watcher.NextAsync(static _ => true)).Payload;
            var told = JsonDocument.Parse(payload).RootElement;
            var closed = await Eventually.GivesAsync(async () => (await hub.MonitorAsync("connz?state=closed&auth=1")).GetProperty("connections").EnumerateArray().ToArray() is { Length: > 0 } list ? list : null);

            found[kind] =
            [
                .. SystemServers.ShapeOf(payload), JsonShape.ValueOf(told, "client.kind"), JsonShape.ValueOf(told, "client.user"), JsonShape.ValueOf(told, "client.name"), JsonShape.ValueOf(told, "reason"),
                JsonShape.ValueOf(closed[0], "kind"), JsonShape.ValueOf(closed[0], "reason"),
            ];
        }

        Assert.Equal(found[ServerKind.Go], found[ServerKind.Postrider]);
    }

    [Theory]
    [InlineData("connz?auth=1&subs=detail")]
    [InlineData("connz?acc=A&auth=1")]
    [InlineData("connz?acc=A&subs=1")]
    [InlineData("connz?acc=SYS")]
    [InlineData("connz?state=closed&auth=1")]
    [InlineData("connz?state=any&acc=A")]
    public async Task Leaf_nodes_are_listed_as_by_Go(string page)
    {
        var shown = new Dictionary<ServerKind, IEnumerable<string>>();
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            await using var hub = await LeafPair.StartHubAsync(kind, Accounts, Listener);
            await using var spoke = await StartSpokeAsync(ServerKind.Go, hub, Remote);
            await LeafPair.AwaitLinksAsync(hub, 1);
            await using var client = await SystemClient.ConnectAsync(spoke.Port, "a");
            await client.SubscribeAsync("orders");
            await LeafPair.AwaitInterestAsync(hub, "orders");
            if (page.Contains("closed", StringComparison.Ordinal)) await spoke.KillAsync();
            await LeafPair.AwaitLinksAsync(hub, page.Contains("closed", StringComparison.Ordinal) ? 0 : 1);

            var found = await hub.MonitorAsync(page);

            shown[kind] = [JsonShape.ValueOf(found, "num_connections"), JsonShape.ValueOf(found, "total"), .. found.GetProperty("connections").EnumerateArray().SelectMany(Describe)];
        }

        Assert.Equal(shown[ServerKind.Go], shown[ServerKind.Postrider]);
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Leaf_node_is_closed_on_request_and_connects_again(ServerKind kind)
    {
        await using var hub = await LeafPair.StartHubAsync(kind, Accounts, Listener);
        await using var spoke = await StartSpokeAsync(ServerKind.Go, hub, Remote);
        await LeafPair.AwaitLinksAsync(hub, 1);
        await using var admin = await SystemClient.ConnectAsync(hub.Port, "sys");
        await using var watcher = await SystemClient.ConnectAsync(hub.Port, "sys");
        await watcher.SubscribeAsync("$SYS.ACCOUNT.A.DISCONNECT", "$SYS.ACCOUNT.A.CONNECT");
        var id = (await hub.MonitorAsync("connz?acc=A")).GetProperty("connections")[0].GetProperty("cid").GetUInt64();

        await admin.AskAsync($"$SYS.REQ.SERVER.{admin.ServerId}.KICK", string.Create(CultureInfo.InvariantCulture, $"{{\"cid\":{id}}}"));
        var gone = await watcher.NextAsync(static message => message.Subject.EndsWith(".DISCONNECT", StringComparison.Ordinal));
        await watcher.NextAsync(static message => message.Subject.EndsWith(".CONNECT", StringComparison.Ordinal));

        Assert.Equal("\"Kicked\"", JsonShape.ValueOf(JsonDocument.Parse(gone.Payload).RootElement, "reason"));
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Trace_shows_the_frames_of_leaf_nodes_without_passwords(ServerKind kind)
    {
        var log = Path.Combine(Directory.CreateTempSubdirectory("postrider-interop-").FullName, "server.log");
        await using var hub = await LeafPair.StartHubAsync(kind, $"{Accounts}\nlog_file: \"{log}\"\ntrace: true", "authorization { user: a, password: secret-of-leafs, account: A }");
        await using var spoke = await StartSpokeAsync(ServerKind.Go, hub, Remote.Replace(":p@", ":secret-of-leafs@", StringComparison.Ordinal));
        await LeafPair.AwaitLinksAsync(hub, 1);
        await using var above = await SystemClient.ConnectAsync(hub.Port, "a");
        await above.SubscribeAsync("up");
        await LeafPair.AwaitInterestAsync(spoke, "up");
        await using var below = await SystemClient.ConnectAsync(spoke.Port, "a");
        await below.PublishAsync("up", "hello");
        await above.NextAsync(static _ => true);

        var lines = await Eventually.GivesAsync(async () => await File.ReadAllLinesAsync(log) is var read && read.Any(static line => line.Contains("MSG_PAYLOAD: [\"hello\"]", StringComparison.Ordinal)) ? read : null);

        Assert.Contains(lines, static line => line.Contains(" - lid:", StringComparison.Ordinal) && line.Contains("<<- [CONNECT {", StringComparison.Ordinal) && line.Contains("\"pass\":\"[REDACTED]\"", StringComparison.Ordinal));
        Assert.Contains(lines, static line => line.EndsWith("->> [LS+ up]", StringComparison.Ordinal));
        Assert.Contains(lines, static line => line.EndsWith("<<- [LMSG up 5]", StringComparison.Ordinal));
        Assert.DoesNotContain(lines, static line => line.Contains("secret-of-leafs", StringComparison.Ordinal));
    }

    private static async Task<string> WatchHubAsync(ServerKind kind, string which)
    {
        await using var hub = await LeafPair.StartHubAsync(kind, Accounts, Listener);
        await using var watcher = await SystemClient.ConnectAsync(hub.Port, "sys");
        await watcher.SubscribeAsync($"$SYS.ACCOUNT.A.{which}");
        await using var spoke = await StartSpokeAsync(ServerKind.Go, hub, Remote);
        await LeafPair.AwaitLinksAsync(hub, 1);
        await AwaitRoundTripAsync(hub);
        if (which == "DISCONNECT") await spoke.EndAsync();
        return (await watcher.NextAsync(static _ => true)).Payload;
    }

    private static async Task<string> WatchSpokeAsync(ServerKind kind, string which)
    {
        await using var hub = await LeafPair.StartHubAsync(ServerKind.Go, Accounts, Listener);
        // The remote has to wait for its hub, so that the watcher is there first.
        await using var link = new LinkProxy(await LeafPair.LeafPortAsync(hub));
        link.Cut();
        await using var spoke = await LeafPair.StartSpokeAsync(kind, "spoke", link.HostAndPort, Accounts, Remote);
        await using var watcher = await SystemClient.ConnectAsync(spoke.Port, "sys");
        await watcher.SubscribeAsync($"$SYS.ACCOUNT.A.{which}");
        link.Heal();
        await LeafPair.AwaitLinksAsync(spoke, 1);
        await AwaitRoundTripAsync(spoke);
        if (which == "DISCONNECT") await hub.EndAsync();
        return (await watcher.NextAsync(static _ => true)).Payload;
    }

    private static async Task<ServerProcess> StartSpokeAsync(ServerKind kind, ServerProcess hub, string remote)
        => await LeafPair.StartSpokeAsync(kind, "spoke", $"127.0.0.1:{await LeafPair.LeafPortAsync(hub)}", Accounts, remote);

    // The time is part of the event of the end once it was measured.
    private static Task AwaitRoundTripAsync(ServerProcess server)
        => Eventually.HoldsAsync(async () => (await server.MonitorAsync("leafz")).GetProperty("leafs")[0].GetProperty("rtt").GetString() != "0s");

    private static IEnumerable<string> Describe(JsonElement connection)
    {
        if (connection.GetProperty("kind").GetString() != "Leafnode") return [];
        var subjects = connection.TryGetProperty("subscriptions_list", out var plain) ? plain.EnumerateArray().Select(static one => one.GetString()!)
            : connection.TryGetProperty("subscriptions_list_detail", out var detail) ? detail.EnumerateArray().Select(static one => string.Join(' ', one.EnumerateObject().Select(static member => member.Name)))
            : [];
        string[] values = ["kind", "ip", "name", "version", "authorized_user", "account", "name_tag", "reason"];
        // Both servers are interested in subjects of their own; only Go's names those of its services.
        return
        [
            string.Join(' ', connection.EnumerateObject().Select(static member => member.Name).Where(static name => name is not "rtt").Order(StringComparer.Ordinal)),
            .. values.Select(name => connection.TryGetProperty(name, out var value) ? $"{name} {value.GetRawText()}" : $"no {name}"),
            .. subjects.Where(static subject => !subject.StartsWith('$')).Distinct().Order(StringComparer.Ordinal),
        ];
    }
}
