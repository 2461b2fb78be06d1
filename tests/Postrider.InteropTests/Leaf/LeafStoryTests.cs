using System.Diagnostics;
using Postrider.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Leaf;

/// <summary>What crosses a link between a hub and its leaf node: with Go's server and ours at each end, and the same every time.</summary>
public sealed class LeafStoryTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static MatrixTheoryData<ServerKind, ServerKind> Kinds => LeafPair.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Messages_go_both_ways_once(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke);
        var (centre, edge) = (await pair.ConnectAsync(pair.Hub), await pair.ConnectAsync(pair.Spoke));
        var (toCentre, toEdge) = (centre.Subscribe<string>("up.*"), edge.Subscribe<string>("down.>"));
        var second = edge.Subscribe<string>("down.a.b");
        await FlushAsync(centre, edge);
        await LeafPair.AwaitInterestAsync(pair.Spoke, "up.*");
        await LeafPair.AwaitInterestAsync(pair.Hub, "down.>");
        await LeafPair.AwaitInterestAsync(pair.Hub, "down.a.b");

        for (var i = 0; i < 100; i++)
        {
            await edge.PublishAsync("up.a", $"u{i}", ct: _ct);
            await centre.PublishAsync("down.a.b", $"d{i}", ct: _ct);
        }

        Assert.Equal(Enumerable.Range(0, 100).Select(i => $"u{i}"), await TakeAsync(toCentre, 100));
        Assert.Equal(Enumerable.Range(0, 100).Select(i => $"d{i}"), await TakeAsync(toEdge, 100));
        Assert.Equal(Enumerable.Range(0, 100).Select(i => $"d{i}"), await TakeAsync(second, 100));
        await AssertNothingMoreAsync(centre, toCentre);
        await AssertNothingMoreAsync(edge, toEdge);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Requests_are_answered_across_and_headers_survive(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke);
        foreach (var (asking, answering) in new[] { (pair.Hub, pair.Spoke), (pair.Spoke, pair.Hub) })
        {
            var (client, server) = (await pair.ConnectAsync(asking), await pair.ConnectAsync(answering));
            await using var service = server.Subscribe<string>("ask", async (message, ct) =>
            {
                var headers = new NatsHeaders { { "Kind", message.Headers!["Kind"]!.ToString() }, { "More", "yes" } };
                await message.ReplyAsync(message.Data + "!", headers, ct: ct);
            });
            await server.FlushAsync(_ct);
            await LeafPair.AwaitInterestAsync(asking, "ask");

            var reply = await client.RequestAsync<string, string>("ask", "why", Limit, new NatsHeaders { { "Kind", "question" } }, ct: _ct);

            Assert.Equal(("why!", "question", "yes"), (reply.Data, reply.Headers!["Kind"]!.ToString(), reply.Headers!["More"]!.ToString()));
            await service.DisposeAsync();
            await server.FlushAsync(_ct);
            await LeafPair.AwaitInterestAsync(asking, "ask", exists: false);
            var nobody = await Assert.ThrowsAsync<NatsNoRespondersException>(async () => await client.RequestAsync<string, string>("ask", "why", Limit, ct: _ct));
            Assert.Contains("ask stays".Split(), subject => nobody.Message.Contains(subject, StringComparison.Ordinal));
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Queue_group_prefers_its_own_server_and_each_message_has_one_member(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke);
        var (centre, edge) = (await pair.ConnectAsync(pair.Hub), await pair.ConnectAsync(pair.Spoke));
        var remote = edge.Subscribe<string>("work", "team");
        var other = edge.Subscribe<string>("work", "other");
        var plain = edge.Subscribe<string>("work");
        await edge.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Hub, "work");
        await AwaitSubscriptionsAsync(pair.Hub, "work", 3);

        await centre.PublishAsync("work", "first", ct: _ct);

        Assert.Equal(["first"], await TakeAsync(remote, 1));
        Assert.Equal(["first"], await TakeAsync(other, 1));
        Assert.Equal(["first"], await TakeAsync(plain, 1));

        // A member here takes what is published here.
        var local = centre.Subscribe<string>("work", "team");
        await centre.FlushAsync(_ct);
        for (var i = 0; i < 20; i++) await centre.PublishAsync("work", $"{i}", ct: _ct);
        Assert.Equal(Enumerable.Range(0, 20).Select(i => $"{i}"), await TakeAsync(local, 20));
        Assert.Equal(Enumerable.Range(0, 20).Select(i => $"{i}"), await TakeAsync(other, 20));
        Assert.Equal(Enumerable.Range(0, 20).Select(i => $"{i}"), await TakeAsync(plain, 20));
        await AssertNothingMoreAsync(edge, remote);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Binary_payloads_of_every_size_arrive_as_they_were(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke);
        var (centre, edge) = (await pair.ConnectAsync(pair.Hub), await pair.ConnectAsync(pair.Spoke));
        var received = centre.Subscribe<byte[]>("bytes");
        await centre.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Spoke, "bytes");
        var random = new Random(Seed.Next());
        var sent = new[] { 0, 1, 2, 63, 64, 65, 4095, 4096, 65_535, 65_536, 500_000, 1_048_576 }.Select(length =>
        {
            var bytes = new byte[length];
            random.NextBytes(bytes);
            return bytes;
        }).ToList();

        foreach (var bytes in sent) await edge.PublishAsync("bytes", bytes.AsSpan(), ct: _ct);

        foreach (var bytes in sent) Assert.Equal(bytes, (await received.ReadAsync(_ct)).Data ?? []);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Link_that_is_cut_heals_and_interest_is_right_within_a_second(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke);
        var (centre, edge) = (await pair.ConnectAsync(pair.Hub), await pair.ConnectAsync(pair.Spoke));
        var stays = centre.Subscribe<string>("stays");
        var goes = centre.Subscribe<string>("goes");
        await centre.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Spoke, "stays");
        await LeafPair.AwaitInterestAsync(pair.Spoke, "goes");
        var waits = new List<TimeSpan>();
        for (var round = 0; round < 3; round++)
        {
            pair.Link.Cut();
            await LeafPair.AwaitLinksAsync(pair.Spoke, 0);
            await LeafPair.AwaitLinksAsync(pair.Hub, 0);
            // What is subscribed and unsubscribed while the link is cut.
            await goes.UnsubscribeAsync();
            var comes = centre.Subscribe<string>($"comes.{round}");
            await centre.FlushAsync(_ct);
            var nobody = await Assert.ThrowsAsync<NatsNoRespondersException>(async () => await edge.RequestAsync<string, string>("stays", "x", Limit, ct: _ct));
            Assert.Contains("ask stays".Split(), subject => nobody.Message.Contains(subject, StringComparison.Ordinal));

            var healed = Stopwatch.GetTimestamp();
            pair.Link.Heal();
            await LeafPair.AwaitInterestAsync(pair.Spoke, $"comes.{round}");
            await LeafPair.AwaitInterestAsync(pair.Spoke, "stays");
            waits.Add(Stopwatch.GetElapsedTime(healed));
            Assert.Equal(0, await LeafPair.CountInterestAsync(pair.Spoke, "goes"));
            await LeafPair.AwaitLinksAsync(pair.Spoke, 1);

            await edge.PublishAsync("stays", $"s{round}", ct: _ct);
            await edge.PublishAsync($"comes.{round}", $"c{round}", ct: _ct);
            Assert.Equal([$"s{round}"], await TakeAsync(stays, 1));
            Assert.Equal([$"c{round}"], await TakeAsync(comes, 1));
        }
        Assert.Equal(4, pair.Link.Connections);
        // A new attempt comes after 200 ms, to which nats-server adds up to as much again; a busy machine may delay one of the rounds.
        Assert.True(waits.Order().ElementAt(1) < TimeSpan.FromSeconds(1), $"interest was right {string.Join(", ", waits)} after the link passed connections again");
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Server_that_restarts_is_found_again(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke);
        var edge = await pair.ConnectAsync(pair.Spoke);
        var received = edge.Subscribe<string>("news");
        await edge.FlushAsync(_ct);
        var port = await LeafPair.LeafPortAsync(pair.Hub);
        await LeafPair.AwaitInterestAsync(pair.Hub, "news");

        await using var gate = new LinkProxy(port);
        await using var second = await LeafPair.StartSpokeAsync(spoke, "second", gate.HostAndPort);
        await LeafPair.AwaitLinksAsync(pair.Hub, 2);
        var other = await pair.ConnectAsync(second);
        await LeafPair.AwaitInterestAsync(second, "news");
        await other.PublishAsync("news", "from the second", ct: _ct);
        Assert.Equal(["from the second"], await TakeAsync(received, 1));

        // A leaf node that is gone leaves no interest behind.
        await second.KillAsync();
        await LeafPair.AwaitLinksAsync(pair.Hub, 1);
        Assert.Equal(1, await LeafPair.CountInterestAsync(pair.Hub, "news"));
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

    // What was sent before is there once the same way was gone by something else.
    private async Task AssertNothingMoreAsync(NatsClient client, NatsSubscription<string> subscription)
    {
        await client.FlushAsync(_ct);
        Assert.False(subscription.TryRead(out var message), $"a message too many: {message.Data}");
    }

    private static Task AwaitSubscriptionsAsync(ServerProcess server, string subject, int count) => Eventually.HoldsAsync(
        async () => (await server.MonitorAsync("leafz?subs=1")).GetProperty("leafs")[0].GetProperty("subscriptions_list").EnumerateArray().Count(one => one.GetString() == subject) == count,
        what: $"{count} subscriptions to {subject}");
}
