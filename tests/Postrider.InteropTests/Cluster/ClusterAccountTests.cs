using Postrider.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Cluster;

/// <summary>Accounts over routes: each by itself, what they share, and those with a route of their own.</summary>
public sealed class ClusterAccountTests
{
    private const string Accounts = """
        accounts {
          A { users [ { user: a, password: p } ], exports [ { service: "svc.>" }, { stream: "ticks.>" } ] }
          B { users [ { user: b, password: p } ], imports [ { service: { account: A, subject: "svc.>" }, to: "remote.>" }, { stream: { account: A, subject: "ticks.>" }, prefix: "from" } ] }
          C { users [ { user: c, password: p } ] }
          SYS { users [ { user: sys, password: p } ] }
        }
        system_account: SYS
        """;

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(120);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static MatrixTheoryData<ServerKind, ServerKind> Pairs => ClusterMesh.Pairs;

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Accounts_do_not_hear_each_other_whatever_route_they_have(ServerKind first, ServerKind second)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second], Accounts, "accounts [ C ]");
        foreach (var (here, there) in new[] { (mesh[0], mesh[1]), (mesh[1], mesh[0]) })
        {
            var subscriptions = new List<NatsSubscription<string>>();
            foreach (var user in new[] { "a:p", "c:p" })
            {
                var client = await mesh.ConnectAsync(there, user);
                subscriptions.Add(client.Subscribe<string>($"only.{there.Kind}.{subscriptions.Count}"));
                subscriptions.Add(client.Subscribe<string>("all"));
                await client.FlushAsync(_ct);
            }
            await ClusterMesh.AwaitInterestAsync(here, "all", 2);
            var publisher = await mesh.ConnectAsync(here, "c:p");

            await publisher.PublishAsync("all", "for c", ct: _ct);

            Assert.Equal("for c", (await subscriptions[3].ReadAsync(_ct)).Data);
            Assert.False(subscriptions[1].TryRead(out _));
            foreach (var subscription in subscriptions) await subscription.UnsubscribeAsync();
            await ClusterMesh.AwaitInterestAsync(here, "all", 0);
        }
        // Those of C went over its own connection.
        var routes = (await mesh[0].MonitorAsync("routez")).GetProperty("routes").EnumerateArray();
        var own = routes.Single(route => route.TryGetProperty("account", out var account) && account.GetString() == "C");
        Assert.True(own.GetProperty("in_msgs").GetInt64() == 1 && own.GetProperty("out_msgs").GetInt64() == 1, own.ToString());
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Service_of_another_account_answers_once_across_a_route(ServerKind first, ServerKind second)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second], Accounts);
        foreach (var (asking, answering) in new[] { (mesh[0], mesh[1]), (mesh[1], mesh[0]) })
        {
            var (client, server) = (await mesh.ConnectAsync(asking, "b:p"), await mesh.ConnectAsync(answering, "a:p"));
            var calls = 0;
            await using var service = server.Subscribe<string>("svc.add", async (message, ct) =>
            {
                Interlocked.Increment(ref calls);
                await message.ReplyAsync(message.Data + "!", ct: ct);
            });
            await server.FlushAsync(_ct);
            await ClusterMesh.AwaitInterestAsync(asking, "svc.add");

            for (var i = 0; i < 20; i++)
                Assert.Equal($"{i}!", (await client.RequestAsync<string, string>("remote.add", $"{i}", Limit, ct: _ct)).Data);

            Assert.Equal(20, calls);
            await service.DisposeAsync();
            await server.FlushAsync(_ct);
            await ClusterMesh.AwaitInterestAsync(asking, "svc.add", 0);
            await Assert.ThrowsAsync<NatsNoRespondersException>(async () => await client.RequestAsync<string, string>("remote.add", "x", Limit, ct: _ct));
        }
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Stream_of_another_account_is_heard_once_across_a_route(ServerKind first, ServerKind second)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second], Accounts);
        foreach (var (here, there) in new[] { (mesh[0], mesh[1]), (mesh[1], mesh[0]) })
        {
            var (publisher, listener) = (await mesh.ConnectAsync(here, "a:p"), await mesh.ConnectAsync(there, "b:p"));
            var received = listener.Subscribe<string>("from.ticks.>");
            await listener.FlushAsync(_ct);
            await ClusterMesh.AwaitInterestAsync(here, "ticks.>");

            for (var i = 0; i < 50; i++) await publisher.PublishAsync("ticks.x", $"{i}", ct: _ct);

            for (var i = 0; i < 50; i++)
            {
                var message = await received.ReadAsync(_ct);
                Assert.Equal(("from.ticks.x", $"{i}"), (message.Subject, message.Data));
            }
            await listener.FlushAsync(_ct);
            Assert.False(received.TryRead(out _));
            await received.UnsubscribeAsync();
            await ClusterMesh.AwaitInterestAsync(here, "ticks.>", 0);
        }
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task System_account_reaches_every_server(ServerKind first, ServerKind second)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second], Accounts);
        var ids = new List<string>();
        foreach (var server in mesh.Servers) ids.Add((await server.MonitorAsync("varz")).GetProperty("server_id").GetString()!);
        for (var i = 0; i < 2; i++)
        {
            var system = await mesh.ConnectAsync(mesh[i], "sys:p");
            foreach (var server in mesh.Servers) await ClusterMesh.AwaitInterestAsync(server, "$SYS.REQ.SERVER.PING.VARZ");
            var answers = system.Subscribe<string>($"answers.{i}");
            await system.FlushAsync(_ct);
            await ClusterMesh.AwaitInterestAsync(mesh[1 - i], $"answers.{i}");

            await system.PublishAsync("$SYS.REQ.SERVER.PING.VARZ", "", replyTo: $"answers.{i}", ct: _ct);
            var answered = new List<string>();
            while (answered.Count < 2) answered.Add(System.Text.Json.JsonDocument.Parse((await answers.ReadAsync(_ct)).Data!).RootElement.GetProperty("server").GetProperty("id").GetString()!);
            Assert.Equal(ids.Order(), answered.Order());

            // A client of the other server is disconnected by its number.
            await using var victim = await NatsClient.ConnectAsync(mesh[1 - i].Url.Replace("nats://", "nats://a:p@", StringComparison.Ordinal), options => options.Name = $"victim{i}");
            var before = await FindAsync(mesh[1 - i], $"victim{i}");
            var kicked = await system.RequestAsync<string, string>($"$SYS.REQ.SERVER.{ids[1 - i]}.KICK", $"{{\"cid\":{before}}}", Limit, ct: _ct);
            Assert.DoesNotContain("\"error\"", kicked.Data, StringComparison.Ordinal);
            await Eventually.HoldsAsync(async () => await FindAsync(mesh[1 - i], $"victim{i}") != before, Limit);

            // One that is asked to leave goes to this server.
            await using var leaving = await NatsClient.ConnectAsync(mesh[1 - i].Url.Replace("nats://", "nats://a:p@", StringComparison.Ordinal), options => options.Name = $"leaving{i}");
            var asked = await system.RequestAsync<string, string>($"$SYS.REQ.SERVER.{ids[1 - i]}.LDM", $"{{\"cid\":{await FindAsync(mesh[1 - i], $"leaving{i}")}}}", Limit, ct: _ct);
            Assert.DoesNotContain("\"error\"", asked.Data, StringComparison.Ordinal);
            await Eventually.HoldsAsync(async () => await FindAsync(mesh[i], $"leaving{i}") is not null, Limit);
        }
    }

    private static async Task<long?> FindAsync(ServerProcess server, string name)
        => (await server.MonitorAsync("connz")).GetProperty("connections").EnumerateArray()
            .Where(one => one.TryGetProperty("name", out var known) && known.GetString() == name).Select(one => (long?)one.GetProperty("cid").GetInt64()).FirstOrDefault();
}
