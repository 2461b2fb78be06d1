using System.Text.Json;
using Postrider.InteropTests.Cluster;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Leaf;
using Postrider.InteropTests.SystemAccount;

namespace Postrider.InteropTests.Tracing;

/// <summary>Traces over several servers: each reports under the number that the one before gave it, whatever its kind.</summary>
public sealed class TraceHopTests
{
    private const string Accounts = """
        accounts {
          A { users: [{user: a, password: p}], exports: [{service: svc, allow_trace: true}] }
          B { users: [{user: b, password: p}], imports: [{service: {account: A, subject: svc}, to: ask}] }
        }
        """;

    public static TheoryData<ServerKind, ServerKind> Pairs => new()
    {
        { ServerKind.Go, ServerKind.Postrider },
        { ServerKind.Postrider, ServerKind.Go },
        { ServerKind.Postrider, ServerKind.Postrider },
    };

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Leaf_nodes_trace_in_both_directions_as_two_of_Go_do(ServerKind hub, ServerKind spoke)
    {
        var expected = await TellLeafAsync(ServerKind.Go, ServerKind.Go);

        Assert.Equal(expected, await TellLeafAsync(hub, spoke));
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Routes_trace_as_two_of_Go_do(ServerKind first, ServerKind second)
    {
        var expected = await TellRouteAsync(ServerKind.Go, ServerKind.Go);

        Assert.Equal(expected, await TellRouteAsync(first, second));
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Services_of_other_accounts_are_traced_over_routes(ServerKind first, ServerKind second)
    {
        var expected = await TellServiceAsync(ServerKind.Go, ServerKind.Go);

        Assert.Equal(expected, await TellServiceAsync(first, second));
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Requests_to_the_streams_of_the_hub_are_traced_as_two_of_Go_do(ServerKind hub, ServerKind spoke)
    {
        var expected = await TellDomainAsync(ServerKind.Go, ServerKind.Go);

        Assert.Equal(expected, await TellDomainAsync(hub, spoke));
    }

    private static async Task<List<string>> TellDomainAsync(ServerKind hub, ServerKind spoke)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-trace-");
        try
        {
            await using var pair = await LeafPair.StartAsync(hub, spoke, $"jetstream {{ store_dir: \"{folder.FullName}\", domain: hub }}");
            await using var asker = await ConnectAsync(pair.Spoke, "asker");
            await Eventually.HoldsAsync(async () => await asker.AskAsync("$JS.hub.API.INFO") != "503");
            await asker.SubscribeAsync("trace.dest");
            await LeafPair.AwaitInterestAsync(pair.Hub, "trace.dest");
            var lines = new List<string>();
            foreach (var only in (bool[])[true, false])
            {
                await asker.SendAsync(Publish("$JS.hub.API.INFO", "answers", only));
                lines.AddRange(await ReadAsync(asker, "trace.dest", 2));
            }
            return lines;
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task<List<string>> TellLeafAsync(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke);
        var lines = new List<string>();
        foreach (var (from, to) in ((ServerProcess, ServerProcess)[])[(pair.Hub, pair.Spoke), (pair.Spoke, pair.Hub)])
        {
            await TellAsync(from, to, () => LeafPair.AwaitInterestAsync(from, "far.x"), () => LeafPair.AwaitInterestAsync(to, "trace.dest"), lines);
            // The clients of this direction are gone before those of the other come.
            await LeafPair.AwaitInterestAsync(from, "far.x", exists: false);
            await LeafPair.AwaitInterestAsync(to, "trace.dest", exists: false);
        }
        return lines;
    }

    private static async Task<List<string>> TellRouteAsync(ServerKind first, ServerKind second)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second]);
        var lines = new List<string>();
        await TellAsync(mesh[0], mesh[1], () => ClusterMesh.AwaitInterestAsync(mesh[0], "far.x"), () => ClusterMesh.AwaitInterestAsync(mesh[1], "trace.dest"), lines);
        return lines;
    }

    // Once delivered and once only traced.
    private static async Task TellAsync(ServerProcess from, ServerProcess to, Func<Task> knowsSubscriber, Func<Task> knowsDestination, List<string> lines)
    {
        await using var publisher = await ConnectAsync(from, "publisher");
        await using var subscriber = await ConnectAsync(to, "subscriber");
        await publisher.SubscribeAsync("trace.dest");
        await subscriber.SubscribeAsync("far.x");
        await knowsSubscriber();
        await knowsDestination();

        foreach (var only in (bool[])[true, false])
        {
            await publisher.SendAsync(Publish("far.x", "", only));
            lines.AddRange(await ReadAsync(publisher, "trace.dest", 2));
        }

        await subscriber.NextAsync(static message => message.Subject == "far.x");
        lines.Add($"delivered {subscriber.Received.Split("MSG far.x ").Length - 1}");
        await publisher.SendAsync("UNSUB 1\r\n");
    }

    private static async Task<List<string>> TellServiceAsync(ServerKind first, ServerKind second)
    {
        await using var mesh = await ClusterMesh.StartAsync([first, second], Accounts);
        await using var asker = await SystemClient.ConnectAsync(mesh[0].Port, "b", "asker");
        await using var service = await SystemClient.ConnectAsync(mesh[1].Port, "a", "service");
        await asker.SubscribeAsync("trace.dest");
        await service.SubscribeAsync("svc");
        await ClusterMesh.AwaitInterestAsync(mesh[0], "svc");
        var lines = new List<string>();

        foreach (var only in (bool[])[true, false])
        {
            await asker.SendAsync(Publish("ask", "answers", only));
            lines.AddRange(await ReadAsync(asker, "trace.dest", 2));
        }

        await service.NextAsync(static message => message.Subject == "svc");
        lines.Add($"delivered {service.Received.Split("MSG svc ").Length - 1}");
        return lines;
    }

    private static Task<SystemClient> ConnectAsync(ServerProcess server, string name) => SystemClient.ConnectAsync(server.Port, name, static _ => "\"user\":\"\"");

    private static string Publish(string subject, string replyTo, bool only)
    {
        var block = $"NATS/1.0\r\nNats-Trace-Dest: trace.dest\r\n{(only ? "Nats-Trace-Only: true\r\n" : "")}\r\n";
        return string.Create(System.Globalization.CultureInfo.InvariantCulture, $"HPUB {subject} {replyTo} {block.Length} {block.Length + 2}\r\n{block}hi\r\n");
    }

    // The events of one message, in the order of their hops.
    private static async Task<IEnumerable<string>> ReadAsync(SystemClient client, string destination, int count)
    {
        var events = new List<string>();
        while (events.Count < count) events.Add((await client.NextAsync(message => message.Subject == destination)).Payload);
        return events.OrderBy(HopOf, StringComparer.Ordinal).SelectMany(TraceText.LinesOf);
    }

    private static string HopOf(string json)
        => JsonDocument.Parse(json).RootElement.GetProperty("request").GetProperty("header").TryGetProperty("Nats-Trace-Hop", out var hop) ? hop[0].GetString()! : "";
}
