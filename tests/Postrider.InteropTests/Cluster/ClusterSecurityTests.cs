using Postrider.Client;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Leaf;

namespace Postrider.InteropTests.Cluster;

/// <summary>Which servers may belong to a cluster.</summary>
public sealed class ClusterSecurityTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(120);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static MatrixTheoryData<ServerKind, ServerKind> Pairs => ClusterMesh.Pairs;

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task User_and_password_decide(ServerKind first, ServerKind second)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second, second], cluster: "authorization { user: route, password: secret }", user: "route:secret@");
        await AssertCrossesAsync(mesh[1], mesh[2]);
        await using var gate = new LinkProxy(await ClusterMesh.PortAsync(mesh[0]));
        await using var wrong = await ClusterMesh.StartServerAsync(second, "wrong", cluster: $"routes [ \"nats-route://route:wrong@{gate.HostAndPort}\" ]");
        await Eventually.HoldsAsync(() => gate.Connections >= 4, Limit);

        await AssertNoRouteAsync(wrong);
        await mesh.AwaitFullAsync();
    }

    [Theory]
    [InlineData(true, "RMSG $G foo 1000000\r\n")]
    [InlineData(true, "HMSG $G foo 12 1000000\r\n")]
    [InlineData(false, "LMSG foo 1000000\r\n")]
    [InlineData(false, "HMSG foo 12 1000000\r\n")]
    public async Task Message_of_a_server_that_has_not_authenticated_ends_its_connection_before_the_payload(bool isRoute, string message)
    {
        await using var server = await ClusterMesh.StartServerAsync(
            ServerKind.Postrider, "s", "leafnodes { listen: \"127.0.0.1:-1\", authorization { user: u, password: p } }", "authorization { user: u, password: p, timeout: 30 }");
        await using var peer = await RawConnection.OpenAsync(isRoute ? await ClusterMesh.PortAsync(server) : await LeafPair.LeafPortAsync(server));

        await peer.SendAsync(message);

        Assert.False(await peer.UntilAsync(static _ => false));
        Assert.Contains("Authorization Violation", peer.Received, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Routes_are_encrypted_where_the_cluster_has_tls(ServerKind first, ServerKind second)
    {
        using var certificates = new TestCertificates();
        certificates.IssuePeer("peer").Dispose();
        var tls = $"tls {{ cert_file: \"{certificates.FileOf("peer.pem")}\", key_file: \"{certificates.FileOf("peer-key.pem")}\", ca_file: \"{certificates.CaFile}\", timeout: 30 }}";

        await using var mesh = await ClusterMesh.StartAsync([first, second], cluster: tls);

        await AssertCrossesAsync(mesh[0], mesh[1]);
        Assert.True((await mesh[0].MonitorAsync("varz")).GetProperty("cluster").GetProperty("tls_required").GetBoolean());
        // One without is refused.
        await using var gate = new LinkProxy(await ClusterMesh.PortAsync(mesh[0]));
        await using var plain = await ClusterMesh.StartServerAsync(second, "plain", cluster: $"routes [ \"nats-route://{gate.HostAndPort}\" ]");
        await Eventually.HoldsAsync(() => gate.Connections >= 3, Limit);
        await AssertNoRouteAsync(plain);
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Servers_of_another_cluster_are_refused_and_a_generated_name_gives_way(ServerKind first, ServerKind second)
    {
        await using var named = await ClusterMesh.StartServerAsync(first, "named", clusterName: "one");
        await using var gate = new LinkProxy(await ClusterMesh.PortAsync(named));
        await using var other = await ClusterMesh.StartServerAsync(second, "other", clusterName: "two", cluster: $"routes [ \"nats-route://{gate.HostAndPort}\" ]");
        await Eventually.HoldsAsync(() => gate.Connections >= 3, Limit);
        await AssertNoRouteAsync(other);

        await using var unnamed = await ServerProcess.StartAsync(
            second, "-m", "-1", "-n", "unnamed", "--cluster", "nats://127.0.0.1:-1", "--routes", $"nats-route://127.0.0.1:{await ClusterMesh.PortAsync(named)}");
        await ClusterMesh.AwaitPeersAsync(unnamed, 1);
        Assert.Equal("one", (await unnamed.MonitorAsync("varz")).GetProperty("cluster").GetProperty("name").GetString());
        await AssertCrossesAsync(unnamed, named);
    }

    private async Task AssertCrossesAsync(ServerProcess from, ServerProcess to)
    {
        await using var here = await LeafPair.ConnectToAsync(from);
        await using var there = await LeafPair.ConnectToAsync(to);
        await using var received = there.Subscribe<string>("crosses");
        await there.FlushAsync(_ct);
        await ClusterMesh.AwaitInterestAsync(from, "crosses");

        await here.PublishAsync("crosses", "yes", ct: _ct);

        Assert.Equal("yes", (await received.ReadAsync(_ct)).Data);
    }

    // The server that dials may count a route until the other one has refused it.
    private static Task AssertNoRouteAsync(ServerProcess server)
        => Eventually.HoldsAsync(async () => (await server.MonitorAsync("routez")).GetProperty("num_routes").GetInt32() == 0);
}
