using Postrider.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Cluster;

/// <summary>What crosses the routes of a cluster: with Go's server and ours at each place, and the same every time.</summary>
public sealed class ClusterStoryTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(120);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static MatrixTheoryData<ServerKind, ServerKind> Pairs => ClusterMesh.Pairs;

    public static TheoryData<ServerKind, ServerKind, ServerKind> Threes => ClusterMesh.Threes;

    [Theory]
    [MemberData(nameof(Threes))]
    public async Task Mesh_forms_from_a_seed_and_each_message_arrives_once_everywhere(ServerKind first, ServerKind second, ServerKind third)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second, third]);
        var clients = new List<NatsClient>();
        var received = new List<NatsSubscription<string>>();
        foreach (var server in mesh.Servers)
        {
            clients.Add(await mesh.ConnectAsync(server));
            received.Add(clients[^1].Subscribe<string>("news.>"));
            await clients[^1].FlushAsync(_ct);
        }
        foreach (var server in mesh.Servers) await ClusterMesh.AwaitInterestAsync(server, "news.>", 2);

        for (var i = 0; i < 100; i++)
            for (var from = 0; from < 3; from++) await clients[from].PublishAsync($"news.{from}", $"{i}", ct: _ct);

        foreach (var subscription in received)
        {
            var taken = new List<(string Subject, string Data)>();
            while (taken.Count < 300)
            {
                var message = await subscription.ReadAsync(_ct);
                taken.Add((message.Subject, message.Data!));
            }
            // Of each publisher in its order.
            for (var from = 0; from < 3; from++)
                Assert.Equal(Enumerable.Range(0, 100).Select(i => $"{i}"), taken.Where(one => one.Subject == $"news.{from}").Select(one => one.Data));
        }
        for (var i = 0; i < 3; i++) await AssertNothingMoreAsync(clients[i], received[i]);
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Requests_are_answered_across_headers_survive_and_nobody_is_known_to_be_nobody(ServerKind first, ServerKind second)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second]);
        foreach (var (asking, answering) in new[] { (mesh[0], mesh[1]), (mesh[1], mesh[0]) })
        {
            var (client, server) = (await mesh.ConnectAsync(asking), await mesh.ConnectAsync(answering));
            await using var service = server.Subscribe<string>("ask", async (message, ct) =>
            {
                var headers = new NatsHeaders { { "Kind", message.Headers!["Kind"]!.ToString() }, { "More", "yes" } };
                await message.ReplyAsync(message.Data + "!", headers, ct: ct);
            });
            await server.FlushAsync(_ct);
            await ClusterMesh.AwaitInterestAsync(asking, "ask");

            var reply = await client.RequestAsync<string, string>("ask", "why", Limit, new NatsHeaders { { "Kind", "question" } }, ct: _ct);

            Assert.Equal(("why!", "question", "yes"), (reply.Data, reply.Headers!["Kind"]!.ToString(), reply.Headers!["More"]!.ToString()));
            await service.DisposeAsync();
            await server.FlushAsync(_ct);
            await ClusterMesh.AwaitInterestAsync(asking, "ask", 0);
            var nobody = await Assert.ThrowsAsync<NatsNoRespondersException>(async () => await client.RequestAsync<string, string>("ask", "why", Limit, ct: _ct));
            Assert.Contains("ask", nobody.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [MemberData(nameof(Threes))]
    public async Task Queue_group_gets_each_message_once_wherever_its_members_are(ServerKind first, ServerKind second, ServerKind third)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second, third]);
        var (here, there, beyond) = (await mesh.ConnectAsync(mesh[0]), await mesh.ConnectAsync(mesh[1]), await mesh.ConnectAsync(mesh[2]));
        var members = new[] { there.Subscribe<string>("work", "team"), there.Subscribe<string>("work", "team"), beyond.Subscribe<string>("work", "team") };
        var other = beyond.Subscribe<string>("work", "other");
        var plain = there.Subscribe<string>("work");
        await FlushAsync(there, beyond);
        await Eventually.HoldsAsync(
            async () => (await mesh[0].MonitorAsync("routez?subs=1")).GetProperty("routes").EnumerateArray()
                .Sum(route => route.TryGetProperty("subscriptions_list", out var list) ? list.EnumerateArray().Count(one => one.GetString() == "work") : 0) == 4,
            Limit);

        for (var i = 0; i < 60; i++) await here.PublishAsync("work", $"{i}", ct: _ct);

        Assert.Equal(Enumerable.Range(0, 60).Select(i => $"{i}"), await TakeAsync(plain, 60));
        Assert.Equal(Enumerable.Range(0, 60).Select(i => $"{i}"), await TakeAsync(other, 60));
        var taken = new List<string>();
        await Eventually.HoldsAsync(
            () =>
            {
                foreach (var member in members)
                    while (member.TryRead(out var message)) taken.Add(message.Data!);
                return taken.Count >= 60;
            },
            Limit);
        Assert.Equal(Enumerable.Range(0, 60), taken.Select(int.Parse).Order());

        // Members are as likely wherever they are: of hundred messages not all, and not none, stay here.
        var local = here.Subscribe<string>("work", "team");
        await here.FlushAsync(_ct);
        taken.Clear();
        for (var i = 0; i < 100; i++) await here.PublishAsync("work", $"{i}", ct: _ct);
        Assert.Equal(Enumerable.Range(0, 100).Select(i => $"{i}"), await TakeAsync(plain, 100));
        var stayed = 0;
        await Eventually.HoldsAsync(
            () =>
            {
                for (; local.TryRead(out var message); stayed++) taken.Add(message.Data!);
                foreach (var member in members)
                    while (member.TryRead(out var message)) taken.Add(message.Data!);
                return taken.Count >= 100;
            },
            Limit);
        Assert.Equal(Enumerable.Range(0, 100), taken.Select(int.Parse).Order());
        Assert.InRange(stayed, 1, 99);
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Binary_payloads_of_every_size_arrive_as_they_were(ServerKind first, ServerKind second)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second]);
        var (here, there) = (await mesh.ConnectAsync(mesh[0]), await mesh.ConnectAsync(mesh[1]));
        var received = there.Subscribe<byte[]>("bytes");
        await there.FlushAsync(_ct);
        await ClusterMesh.AwaitInterestAsync(mesh[0], "bytes");
        var random = new Random(Seed.Next());
        var sent = new[] { 0, 1, 2, 63, 64, 65, 4095, 4096, 65_535, 65_536, 500_000, 1_048_576 }.Select(length =>
        {
            var bytes = new byte[length];
            random.NextBytes(bytes);
            return bytes;
        }).ToList();

        foreach (var bytes in sent) await here.PublishAsync("bytes", bytes.AsSpan(), ct: _ct);

        foreach (var bytes in sent) Assert.Equal(bytes, (await received.ReadAsync(_ct)).Data ?? []);
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Pools_of_other_sizes_and_none_understand_each_other(ServerKind first, ServerKind second)
    {
        foreach (var (ours, theirs) in new[] { (-1, -1), (1, 1), (5, 2), (-1, 3), (3, -1) })
        {
            await using var seed = await ClusterMesh.StartServerAsync(first, "s1", cluster: $"pool_size: {ours}");
            await using var other = await ClusterMesh.StartServerAsync(second, "s2", cluster: $"pool_size: {theirs}\nroutes [ \"nats-route://127.0.0.1:{await ClusterMesh.PortAsync(seed)}\" ]");
            await using var here = await Leaf.LeafPair.ConnectToAsync(seed);
            await using var there = await Leaf.LeafPair.ConnectToAsync(other);
            var (toHere, toThere) = (here.Subscribe<string>("a"), there.Subscribe<string>("b"));
            await FlushAsync(here, there);
            await ClusterMesh.AwaitInterestAsync(seed, "b");
            await ClusterMesh.AwaitInterestAsync(other, "a");

            await here.PublishAsync("b", "to there", ct: _ct);
            await there.PublishAsync("a", "to here", ct: _ct);

            Assert.Equal(["to there"], await TakeAsync(toThere, 1));
            Assert.Equal(["to here"], await TakeAsync(toHere, 1));
        }
    }

    private async Task FlushAsync(params NatsClient[] clients)
    {
        foreach (var client in clients) await client.FlushAsync(_ct);
    }

    private async Task<List<string>> TakeAsync(NatsSubscription<string> subscription, int count)
    {
        var taken = new List<string>();
        while (taken.Count < count) taken.Add((await subscription.ReadAsync(_ct)).Data!);
        return taken;
    }

    private async Task AssertNothingMoreAsync(NatsClient client, NatsSubscription<string> subscription)
    {
        await client.FlushAsync(_ct);
        Assert.False(subscription.TryRead(out var message), $"a message too many: {message.Data}");
    }
}
