using Postrider.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Client;

public sealed class ClusterTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(120);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;
    private readonly HashSet<int> _received = [];
    private int _lastSent;

    public static MatrixTheoryData<ServerKind, ServerKind> Kinds => new(Enum.GetValues<ServerKind>(), Enum.GetValues<ServerKind>());

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Client_survives_a_killed_node_finds_one_that_joins_and_leaves_a_lame_duck(ServerKind even, ServerKind odd)
    {
        var routes = Enumerable.Range(0, 4).Select(_ => FreePort.Find()).ToArray();
        await using var first = await StartAsync(even, 0, routes);
        await using var second = await StartAsync(odd, 1, routes);
        await using var third = await StartAsync(even, 2, routes);
        await using var client = await NatsClient.ConnectAsync(first.Url, Quick, _ct);
        var events = new EventRecord(client);
        await using var subscription = client.Subscribe<int>("cluster.numbers");
        await Eventually.HoldsAsync(() => client.KnownServers.Count == 3);

        // A node dies: the client goes on at one it was only told of.
        await first.KillAsync();
        await events.AwaitAsync(ClientEventKind.Reconnected, _ct);
        Assert.Contains(client.ConnectedServer, new[] { Address(second), Address(third) });
        await AssertReachesAsync(client, subscription, second);
        await AssertReachesAsync(client, subscription, third);

        // Another joins: the client is told.
        await using var fourth = await StartAsync(odd, 3, routes);
        await Eventually.HoldsAsync(() => client.KnownServers.Contains(Address(fourth)));

        // Its server is about to stop: the client leaves for another before it does, and nothing comes twice.
        var (leaving, staying) = client.ConnectedServer == Address(second) ? (second, third) : (third, second);
        await leaving.BeginLameDuckAsync();
        await events.AwaitAsync(ClientEventKind.LameDuck, _ct);
        await events.AwaitAsync(ClientEventKind.Reconnected, _ct);
        Assert.NotEqual(Address(leaving), client.ConnectedServer);
        await client.FlushAsync(_ct);
        var before = subscription.DeliveredMessages;
        await AssertReachesAsync(client, subscription, staying);
        Take(subscription);
        await AssertReachesAsync(client, subscription, fourth, mayRepeat: true);
        Assert.True(subscription.DeliveredMessages > before);
        Assert.Equal(2, client.Statistics.Reconnects);
    }

    private static string Address(ServerProcess server) => $"127.0.0.1:{server.Port}";

    private static void Quick(ClientOptions options)
    {
        options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
        options.MaxReconnectDelay = TimeSpan.FromMilliseconds(200);
    }

    private static Task<ServerProcess> StartAsync(ServerKind kind, int node, int[] routes)
    {
        var others = string.Join(", ", routes.Select(port => $"\"nats-route://127.0.0.1:{port}\""));
        return ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(
            $"server_name: node{node}\nlame_duck_duration: 30s\nlame_duck_grace_period: 1s\ncluster {{ name: test, listen: \"127.0.0.1:{routes[node]}\", routes: [ {others} ] }}"));
    }

    // Interest spreads through the cluster by and by: asks until a message gets through. None comes twice, but from a node that has
    // just joined: for a moment it may have two routes to another.
    private async Task AssertReachesAsync(NatsClient client, NatsSubscription<int> subscription, ServerProcess from, bool mayRepeat = false)
    {
        await client.FlushAsync(_ct);
        await using var publisher = await NatsClient.ConnectAsync(from.Url, options => options.UseDiscoveredServers = false, _ct);
        var first = _lastSent + 1;
        await Eventually.HoldsAsync(async () =>
        {
            await publisher.PublishAsync("cluster.numbers", ++_lastSent, ct: _ct);
            await publisher.FlushAsync(_ct);
            Take(subscription, mayRepeat);
            return _received.Any(number => number >= first);
        });
    }

    private void Take(NatsSubscription<int> subscription, bool mayRepeat = false)
    {
        while (subscription.TryRead(out var message))
            Assert.True(_received.Add(message.Data) || mayRepeat, $"{message.Data} came twice.");
    }
}
