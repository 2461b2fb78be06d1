using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Leaf;

/// <summary>JetStream on both sides of a link, each side a domain.</summary>
public sealed class LeafDomainTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-leaf-js-");
    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static MatrixTheoryData<ServerKind, ServerKind> Kinds => LeafPair.Kinds;

    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Stream_of_the_other_domain_is_made_filled_and_read_across(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke, Store("hub"), spokeOptions: Store("spoke"));
        foreach (var (near, domain) in new[] { (pair.Spoke, "hub"), (pair.Hub, "spoke") })
        {
            var client = await pair.ConnectAsync(near);
            var streams = client.CreateJetStreamContext(new JetStreamOptions { Domain = domain });
            // The link is there before the other side's interest is.
            await Eventually.SucceedsAsync<NatsClientException, JetStreamStream>(
                () => streams.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders." + domain + ".>"] }, _ct), static error => error.InnerException is NatsNoRespondersException);
            await LeafPair.AwaitInterestAsync(near, $"orders.{domain}.>");

            for (var i = 0; i < 10; i++) await streams.PublishAsync($"orders.{domain}.new", $"{i}", ct: _ct);

            var info = await streams.GetStreamAsync("ORDERS", ct: _ct);
            Assert.Equal((10UL, domain), ((ulong)info.Info.State.Messages, info.Info.Domain));
        }
    }

    [Theory]
    [InlineData(ServerKind.Postrider, ServerKind.Postrider)]
    [InlineData(ServerKind.Postrider, ServerKind.Go)]
    [InlineData(ServerKind.Go, ServerKind.Postrider)]
    public async Task Same_domain_on_both_sides_leaves_the_link_and_each_side_its_streams(ServerKind hub, ServerKind spoke)
    {
        var log = Path.Combine(_folder.FullName, "server.log");
        var (ofHub, ofSpoke) = hub == ServerKind.Postrider ? ($"\nlog_file: \"{log}\"", "") : ("", $"\nlog_file: \"{log}\"");
        await using var pair = await LeafPair.StartAsync(hub, spoke, Store("hub") + ofHub, spokeOptions: Store("spoke").Replace("domain: spoke", "domain: hub", StringComparison.Ordinal) + ofSpoke);
        var (near, far) = (await pair.ConnectAsync(pair.Spoke), await pair.ConnectAsync(pair.Hub));
        await using var received = far.Subscribe<string>("news");
        await far.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Spoke, "news");
        var streams = near.CreateJetStreamContext();

        await streams.CreateStreamAsync(new StreamConfig { Name = "OWN", Subjects = ["own"] }, _ct);
        await streams.PublishAsync("own", "kept", ct: _ct);
        await near.PublishAsync("news", "crossed", ct: _ct);

        Assert.Equal("crossed", (await received.ReadAsync(_ct)).Data);
        Assert.Equal(1UL, (ulong)(await streams.GetStreamAsync("OWN", ct: _ct)).Info.State.Messages);
        await Eventually.HoldsAsync(() => File.ReadAllText(log).Contains("Both servers have the JetStream domain \"hub\"", StringComparison.Ordinal));
        await LeafPair.AwaitLinksAsync(pair.Hub, 1);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Consumer_of_the_other_domain_delivers_across_and_is_acknowledged(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke, Store("hub"), spokeOptions: Store("spoke"));
        var (edge, centre) = (await pair.ConnectAsync(pair.Spoke), await pair.ConnectAsync(pair.Hub));
        var home = centre.CreateJetStreamContext();
        await home.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] }, _ct);
        for (var i = 0; i < 20; i++) await home.PublishAsync($"orders.{i % 2}", $"{i}", ct: _ct);
        var away = edge.CreateJetStreamContext(new JetStreamOptions { Domain = "hub" });
        var consumer = await Eventually.SucceedsAsync<NatsClientException, JetStreamConsumer>(
            () => away.CreateConsumerAsync("ORDERS", new ConsumerConfig { DurableName = "edge", AckPolicy = AckPolicy.Explicit }, _ct), static error => error.InnerException is NatsNoRespondersException);

        var heard = new List<(string, string?)>();
        await foreach (var message in consumer.FetchAsync<string>(20, ct: _ct))
        {
            heard.Add((message.Subject, message.Data));
            await message.AckAndConfirmAsync(ct: _ct);
        }

        // The subject is that of the stream's message, not that of the delivery.
        Assert.Equal(Enumerable.Range(0, 20).Select(i => ($"orders.{i % 2}", (string?)$"{i}")), heard);
        var state = await (await home.GetConsumerAsync("ORDERS", "edge", _ct)).RefreshAsync(_ct);
        Assert.Equal((20UL, 0), (state.AckFloor.StreamSequence, state.AckPendingCount));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Acknowledgement_of_a_consumer_here_is_confirmed_by_its_own_server(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke, Store("hub"), spokeOptions: Store("spoke"));
        foreach (var server in new[] { pair.Hub, pair.Spoke })
        {
            var client = await pair.ConnectAsync(server);
            var streams = client.CreateJetStreamContext();
            var name = server == pair.Hub ? "ATHUB" : "ATEDGE";
            await streams.CreateStreamAsync(new StreamConfig { Name = name, Subjects = [name + ".>"] }, _ct);
            for (var i = 0; i < 20; i++) await streams.PublishAsync($"{name}.x", i, ct: _ct);
            var consumer = await streams.CreateConsumerAsync(name, new ConsumerConfig { DurableName = "own", AckPolicy = AckPolicy.Explicit }, _ct);

            await foreach (var message in consumer.FetchAsync<int>(20, ct: _ct)) await message.AckAndConfirmAsync(ct: _ct);

            Assert.Equal(20UL, (await consumer.RefreshAsync(_ct)).AckFloor.StreamSequence);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Key_of_the_other_domain_is_written_by_its_domain(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke, Store("hub"), spokeOptions: Store("spoke"));
        var (edge, centre) = (await pair.ConnectAsync(pair.Spoke), await pair.ConnectAsync(pair.Hub));
        var home = centre.CreateJetStreamContext();
        await home.CreateStreamAsync(new StreamConfig { Name = "KV_settings", Subjects = ["$KV.settings.>"], MaxMessagesPerSubject = 1, AllowRollup = true }, _ct);

        var reply = await Eventually.SucceedsAsync<NatsNoRespondersException, NatsMessage<string>>(
            async () => await edge.RequestAsync<string, string>("$JS.hub.API.$KV.settings.colour", "red", Limit, ct: _ct));

        Assert.Contains("\"stream\":\"KV_settings\"", reply.Data, StringComparison.Ordinal);
        Assert.Contains("\"domain\":\"hub\"", reply.Data, StringComparison.Ordinal);
        // What is written without the domain stays on its side.
        await Assert.ThrowsAsync<NatsNoRespondersException>(async () => await edge.RequestAsync<string, string>("$KV.settings.colour", "blue", Limit, ct: _ct));
        Assert.Equal(1UL, (ulong)(await home.GetStreamAsync("KV_settings", ct: _ct)).Info.State.Messages);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Account_without_streams_reaches_its_default_domain(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke, Store("hub"), spokeOptions: "default_js_domain { $G: hub }");
        var edge = await pair.ConnectAsync(pair.Spoke);
        var streams = edge.CreateJetStreamContext();

        await Eventually.SucceedsAsync<NatsClientException, JetStreamStream>(
            () => streams.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] }, _ct), static error => error.InnerException is NatsNoRespondersException);

        Assert.Equal("hub", (await streams.GetStreamAsync("ORDERS", ct: _ct)).Info.Domain);
        await LeafPair.AwaitInterestAsync(pair.Spoke, "orders.>");
        for (var i = 0; i < 5; i++) await streams.PublishAsync("orders.new", $"{i}", ct: _ct);
        var heard = new List<string?>();
        var consumer = await streams.CreateConsumerAsync("ORDERS", new ConsumerConfig { DurableName = "edge" }, _ct);
        await foreach (var message in consumer.FetchAsync<string>(5, ct: _ct)) heard.Add(message.Data);
        Assert.Equal(["0", "1", "2", "3", "4"], heard);
    }

    private string Store(string domain) => $"jetstream {{ store_dir: \"{Path.Combine(_folder.FullName, domain)}\", domain: {domain} }}";
}
