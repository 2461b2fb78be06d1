using System.Globalization;
using Postrider.Client;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Leaf;

namespace Postrider.InteropTests.Cluster;

/// <summary>Servers of a cluster come, go and are killed; clients follow. POSTRIDER_MESH_KILLS sets how often a server is killed under load.</summary>
public sealed class ClusterLifeTests(ITestOutputHelper output)
{
    private const int KillsInSuite = 4;

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180 + (20 * (Kills - KillsInSuite)));

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    private static int Kills => int.TryParse(Environment.GetEnvironmentVariable("POSTRIDER_MESH_KILLS"), CultureInfo.InvariantCulture, out var kills) ? kills : KillsInSuite;

    public static MatrixTheoryData<ServerKind, ServerKind> Pairs => ClusterMesh.Pairs;

    public static TheoryData<ServerKind, ServerKind, ServerKind> Threes => ClusterMesh.Threes;

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Clients_are_told_the_addresses_of_all_servers_and_no_more_of_one_that_is_gone(ServerKind first, ServerKind second)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second]);
        foreach (var server in mesh.Servers)
        {
            var info = await InfoAsync(server);
            Assert.Contains("\"cluster\":\"mesh\"", info, StringComparison.Ordinal);
            foreach (var other in mesh.Servers) Assert.Contains(AddressOf(other), info, StringComparison.Ordinal);
        }

        await mesh[1].KillAsync();

        await Eventually.HoldsAsync(async () => !(await InfoAsync(mesh[0])).Contains(AddressOf(mesh[1]), StringComparison.Ordinal), Limit);
        Assert.Equal(0, (await mesh[0].MonitorAsync("routez")).GetProperty("num_routes").GetInt32());
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Server_in_lame_duck_mode_gets_no_more_clients_from_the_others(ServerKind first, ServerKind second)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second], "lame_duck_duration: 60s\nlame_duck_grace_period: 30s");
        await using var stays = await LeafPair.ConnectToAsync(mesh[1]);
        Assert.Contains(AddressOf(mesh[1]), await InfoAsync(mesh[0]), StringComparison.Ordinal);

        await mesh[1].BeginLameDuckAsync();

        await Eventually.HoldsAsync(async () => !(await InfoAsync(mesh[0])).Contains(AddressOf(mesh[1]), StringComparison.Ordinal), Limit);
        // The server itself is still there.
        Assert.NotEqual(0, (await mesh[0].MonitorAsync("routez")).GetProperty("num_routes").GetInt32());
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Clients_of_a_server_in_lame_duck_mode_are_not_told_its_own_address(ServerKind first, ServerKind second)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second]);
        await using var client = await RawConnection.OpenAsync(mesh[1].Port);
        await client.SendAsync("CONNECT {\"verbose\":false,\"protocol\":1}\r\nPING\r\n");
        Assert.True(await client.UntilAsync(static text => text.Contains("PONG\r\n", StringComparison.Ordinal)));

        await mesh[1].BeginLameDuckAsync();

        Assert.True(await client.UntilAsync(static text => text.Contains("\"ldm\":true", StringComparison.Ordinal)));
        var info = client.Received.Split("\r\n").First(static line => line.Contains("\"ldm\":true", StringComparison.Ordinal))["INFO ".Length..];
        using var json = System.Text.Json.JsonDocument.Parse(info);
        Assert.Equal([$"127.0.0.1:{mesh[0].Port}"], json.RootElement.GetProperty("connect_urls").EnumerateArray().Select(static url => url.GetString()));
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Server_with_no_advertise_is_named_to_no_client_of_others_and_names_none_to_its_own(ServerKind silent, ServerKind others)
    {
        await using var mesh = await ClusterMesh.StartAsync([others, others]);
        await using var hidden = await ClusterMesh.StartServerAsync(silent, "s3", cluster: $"no_advertise: true\nroutes [ \"nats-route://127.0.0.1:{await ClusterMesh.PortAsync(mesh[0])}\" ]");
        foreach (var server in mesh.Servers.Append(hidden)) await ClusterMesh.AwaitPeersAsync(server, 2);

        var (named, ofHidden) = (await InfoAsync(mesh[0]), await InfoAsync(hidden));

        Assert.Contains(AddressOf(mesh[1]), named, StringComparison.Ordinal);
        Assert.DoesNotContain(AddressOf(hidden), named, StringComparison.Ordinal);
        foreach (var server in mesh.Servers) Assert.DoesNotContain(AddressOf(server), ofHidden, StringComparison.Ordinal);
        // It is a member like the others.
        await using var far = await LeafPair.ConnectToAsync(mesh[1]);
        await using var near = await LeafPair.ConnectToAsync(hidden);
        await using var received = far.Subscribe<string>("news");
        await far.FlushAsync(_ct);
        await ClusterMesh.AwaitInterestAsync(hidden, "news");
        await near.PublishAsync("news", "hello", ct: _ct);
        Assert.Equal("hello", (await received.ReadAsync(_ct)).Data);
    }

    [Theory]
    [MemberData(nameof(Threes))]
    public async Task Server_that_is_killed_under_load_comes_back_and_others_lose_and_double_nothing(ServerKind first, ServerKind second, ServerKind third)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second, third]);
        var (here, there) = (await mesh.ConnectAsync(mesh[0]), await mesh.ConnectAsync(mesh[1]));
        var received = there.Subscribe<string>("load");
        await there.FlushAsync(_ct);
        await mesh.AwaitInterestOfAsync(mesh[1], "load");
        var (sent, read) = (0, 0);
        using var stopping = CancellationTokenSource.CreateLinkedTokenSource(_ct);
        var publishing = Task.Run(
            async () =>
            {
                while (!stopping.IsCancellationRequested)
                {
                    for (var i = 0; i < 50; i++) await here.PublishAsync("load", $"{sent++}", ct: _ct);
                    await here.FlushAsync(_ct);
                    // As fast as the reader: its own client drops what is too much.
                    while (sent - Volatile.Read(ref read) > 1000) await Task.Yield();
                }
            },
            _ct);

        var seen = new List<string>();
        var reading = Task.Run(
            async () =>
            {
                while (seen.Count < Volatile.Read(ref sent) || !publishing.IsCompleted)
                {
                    if (received.TryRead(out var message))
                    {
                        seen.Add(message.Data!);
                        Volatile.Write(ref read, seen.Count);
                    }
                    else await Task.Yield();
                }
            },
            _ct);
        var fromKilled = new List<int>();
        await using var ofHere = here.Subscribe<int>("up", (message, _) =>
        {
            fromKilled.Add(message.Data);
            return ValueTask.CompletedTask;
        });
        await here.FlushAsync(_ct);
        await using var killed = await ClientOfKilledServer.StartAsync(mesh[2], "load", "up");
        await killed.AwaitMoreAsync();
        for (var round = 0; round < Kills; round++)
        {
            // Nothing is missing while the server is there, and what is missing because of a kill is one piece.
            Assert.InRange(killed.Gaps, 0, round);
            await mesh[2].KillAsync();
            await ClusterMesh.AwaitPeersAsync(mesh[0], 1);
            await mesh[2].RestartAsync();
            await mesh.AwaitFullAsync();
            await ClusterMesh.AwaitInterestAsync(mesh[2], "load");
            await using var returned = await LeafPair.ConnectToAsync(mesh[2]);
            await using var from = returned.Subscribe<string>("load");
            await returned.FlushAsync(_ct);
            await ClusterMesh.AwaitInterestAsync(mesh[0], "load", 2);
            // What it hears is in order, and nothing twice.
            var last = -1;
            for (var i = 0; i < 200; i++)
            {
                var number = int.Parse((await from.ReadAsync(_ct)).Data!, CultureInfo.InvariantCulture);
                Assert.True(number == last + 1 || last < 0, $"{number} after {last}");
                last = number;
            }
            await killed.AwaitMoreAsync();
        }
        Assert.InRange(killed.Gaps, 0, Kills);
        Assert.Null(killed.Repeated);
        await killed.StopPublishingAsync();
        await stopping.CancelAsync();
        await publishing;
        await reading.WaitAsync(_ct);

        Assert.Equal(Enumerable.Range(0, sent).Select(i => $"{i}"), seen);
        await there.FlushAsync(_ct);
        Assert.False(received.TryRead(out _));
        await here.FlushAsync(_ct);
        await ofHere.DrainAsync();
        output.WriteLine($"{Kills} kills, {sent} messages; the client of the killed server received {killed.Received} with {killed.Gaps} gaps, published {killed.Published}, and {killed.Failed} publishes failed");
        Assert.Equal(fromKilled.Distinct().Order(), fromKilled);
        Assert.InRange(fromKilled.Count, 1, killed.Published + killed.Failed);
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Leaf_node_of_one_server_reaches_clients_of_the_other(ServerKind first, ServerKind second)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second], "leafnodes { listen: \"127.0.0.1:-1\" }");
        await using var spoke = await LeafPair.StartSpokeAsync(ServerKind.Postrider, "edge", $"127.0.0.1:{await LeafPair.LeafPortAsync(mesh[1])}");
        await LeafPair.AwaitLinksAsync(spoke, 1);
        var (centre, edge) = (await mesh.ConnectAsync(mesh[0]), await mesh.ConnectAsync(spoke));
        var (toCentre, toEdge) = (centre.Subscribe<string>("up"), edge.Subscribe<string>("down"));
        await centre.FlushAsync(_ct);
        await edge.FlushAsync(_ct);
        await ClusterMesh.AwaitInterestAsync(mesh[0], "down");
        await LeafPair.AwaitInterestAsync(spoke, "up");

        for (var i = 0; i < 20; i++)
        {
            await edge.PublishAsync("up", $"{i}", ct: _ct);
            await centre.PublishAsync("down", $"{i}", ct: _ct);
        }

        for (var i = 0; i < 20; i++)
        {
            Assert.Equal($"{i}", (await toCentre.ReadAsync(_ct)).Data);
            Assert.Equal($"{i}", (await toEdge.ReadAsync(_ct)).Data);
        }
        await edge.FlushAsync(_ct);
        await centre.FlushAsync(_ct);
        Assert.False(toCentre.TryRead(out _) || toEdge.TryRead(out _));
    }

    private static string AddressOf(ServerProcess server) => $"\"127.0.0.1:{server.Port.ToString(CultureInfo.InvariantCulture)}\"";

    private static async Task<string> InfoAsync(ServerProcess server)
    {
        await using var connection = await RawConnection.OpenAsync(server.Port);
        return connection.Info;
    }
}
