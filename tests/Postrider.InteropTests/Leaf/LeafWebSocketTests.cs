using System.Globalization;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.WebSockets;

namespace Postrider.InteropTests.Leaf;

/// <summary>Leaf nodes over WebSockets: with Go's server and ours at each end.</summary>
public sealed class LeafWebSocketTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static MatrixTheoryData<ServerKind, ServerKind> Kinds => LeafPair.Kinds;

    public static TheoryData<ServerKind, ServerKind, string, string, string> Forms
    {
        get
        {
            var data = new TheoryData<ServerKind, ServerKind, string, string, string>();
            foreach (var (hub, spoke) in new[] { (ServerKind.Go, ServerKind.Go), (ServerKind.Go, ServerKind.Postrider), (ServerKind.Postrider, ServerKind.Go), (ServerKind.Postrider, ServerKind.Postrider) })
            {
                data.Add(hub, spoke, "", "compression: off", "off");
                data.Add(hub, spoke, "", "compression: s2_fast", "s2_fast");
                data.Add(hub, spoke, "", "ws_no_masking: true, compression: s2_better", "s2_better");
                data.Add(hub, spoke, "compression: true", "ws_compression: true", "off");
                data.Add(hub, spoke, "compression: true", "ws_compression: true, ws_no_masking: true", "off");
                // The listener does not compress: S2 is chosen after all.
                data.Add(hub, spoke, "", "ws_compression: true, compression: s2_fast", "s2_fast");
            }
            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Messages_go_both_ways_over_a_web_socket(ServerKind hub, ServerKind spoke, string listener, string remote, string compression)
    {
        await using var centre = await WebSocketServers.StartAsync(hub, listener, "server_name: hub\nleafnodes { listen: \"127.0.0.1:-1\", compression: accept }");
        await using var link = new LinkProxy(centre.WebSocketPort());
        await using var edge = await StartSpokeAsync(spoke, $"ws://{link.HostAndPort}", remote);
        await LeafPair.AwaitLinksAsync(centre, 1);
        await LeafPair.AwaitLinksAsync(edge, 1);

        await AssertCrossesAsync(centre, edge);

        foreach (var server in new[] { centre, edge })
        {
            var shown = (await server.MonitorAsync("leafz")).GetProperty("leafs")[0];
            Assert.Equal(compression, shown.GetProperty("compression").GetString());
            Assert.True(shown.GetProperty("websocket").GetBoolean());
        }
        link.Cut();
        await LeafPair.AwaitLinksAsync(edge, 0);
        // As long as the hub has the old link, it sends what it learned from it there.
        await LeafPair.AwaitLinksAsync(centre, 0);
        link.Heal();
        await LeafPair.AwaitLinksAsync(edge, 1);
        await AssertCrossesAsync(centre, edge);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Leaf_node_without_credentials_is_the_no_auth_user_of_the_listener(ServerKind hub, ServerKind spoke)
    {
        const string Accounts = "server_name: hub\naccounts { A { users: [{ user: n, password: n }] } }\nleafnodes { listen: \"127.0.0.1:-1\" }";
        await using var centre = await WebSocketServers.StartAsync(hub, "no_auth_user: n", Accounts);

        await using var edge = await StartSpokeAsync(spoke, $"ws://127.0.0.1:{centre.WebSocketPort()}", "");

        await LeafPair.AwaitLinksAsync(centre, 1);
        Assert.Equal("A", (await centre.MonitorAsync("leafz")).GetProperty("leafs")[0].GetProperty("account").GetString());
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Users_of_the_leaf_listener_decide_and_a_path_may_come_first(ServerKind hub, ServerKind spoke)
    {
        await using var centre = await WebSocketServers.StartAsync(hub, "", "leafnodes { listen: \"127.0.0.1:-1\", authorization { user: leaf, password: secret } }");
        var port = centre.WebSocketPort().ToString(CultureInfo.InvariantCulture);
        await using var gate = new LinkProxy(centre.WebSocketPort());
        await using var wrong = await StartSpokeAsync(spoke, $"ws://leaf:wrong@{gate.HostAndPort}", "");
        await using var right = await StartSpokeAsync(spoke, $"ws://leaf:secret@127.0.0.1:{port}/some/path", "");
        await LeafPair.AwaitLinksAsync(centre, 1);
        await Eventually.HoldsAsync(() => gate.Connections >= 3);

        await LeafPair.AwaitLinksAsync(centre, 1);
        await LeafPair.AwaitLinksAsync(right, 1);
        await AssertCrossesAsync(centre, right);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Encrypted_web_socket_carries_a_leaf_node(ServerKind hub, ServerKind spoke)
    {
        using var certificates = new TestCertificates();
        await using var centre = await WebSocketServers.StartSecureAsync(hub, certificates, more: "http: \"127.0.0.1:-1\"\nleafnodes { listen: \"127.0.0.1:-1\" }");
        var port = centre.WebSocketPort().ToString(CultureInfo.InvariantCulture);
        await using var edge = await StartSpokeAsync(spoke, $"wss://localhost:{port}", $"compression: s2_fast, tls {{ ca_file: \"{certificates.CaFile}\" }}");
        await LeafPair.AwaitLinksAsync(centre, 1);
        await LeafPair.AwaitLinksAsync(edge, 1);

        await AssertCrossesAsync(centre, edge);
    }

    private static Task<ServerProcess> StartSpokeAsync(ServerKind kind, string url, string remote) => ServerProcess.StartAsync(
        kind,
        "-m", "-1", "-c",
        ServerProcess.WriteConfiguration($"server_name: spoke\nleafnodes {{ reconnect: \"200ms\", remotes [ {{ url: \"{url}\", ignore_discovered_servers: true, first_info_timeout: \"10s\", {remote} }} ] }}"));

    private async Task AssertCrossesAsync(ServerProcess centre, ServerProcess edge)
    {
        await using var inside = await LeafPair.ConnectToAsync(centre);
        await using var outside = await LeafPair.ConnectToAsync(edge);
        await using var up = inside.Subscribe<byte[]>("up");
        await using var down = outside.Subscribe<byte[]>("down");
        await inside.FlushAsync(_ct);
        await outside.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(edge, "up");
        await LeafPair.AwaitInterestAsync(centre, "down");
        var random = new Random(Seed.Next());
        foreach (var length in new[] { 0, 1, 100, 5_000, 70_000, 300_000 })
        {
            var bytes = new byte[length];
            random.NextBytes(bytes.AsSpan(0, length / 2));

            await outside.PublishAsync("up", bytes.AsSpan(), ct: _ct);
            await inside.PublishAsync("down", bytes.AsSpan(), ct: _ct);

            Assert.Equal(bytes, (await up.ReadAsync(_ct)).Data ?? []);
            Assert.Equal(bytes, (await down.ReadAsync(_ct)).Data ?? []);
        }
    }
}
