using System.Globalization;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Leaf;

/// <summary>Mirrors and sources of the other side's streams: each side of the link is a domain.</summary>
public sealed class LeafSourcingTests : IDisposable
{
    // Go's server looks for a silent source each ten seconds.
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(120);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-leaf-sources-");
    private readonly CancellationTokenSource _end = new(Limit);

    public static MatrixTheoryData<ServerKind, ServerKind> Kinds => LeafPair.Kinds;

    public static TheoryData<ServerKind> Origins => [.. Enum.GetValues<ServerKind>()];

    private CancellationToken Ct => _end.Token;

    public void Dispose()
    {
        _end.Dispose();
        _folder.Delete(recursive: true);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Mirror_of_the_other_domain_has_its_messages_with_their_sequences_and_times(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await StartAsync(hub, spoke);
        foreach (var (here, domain, there) in new[] { (pair.Spoke, "hub", pair.Hub), (pair.Hub, "spoke", pair.Spoke) })
        {
            var (origin, copy) = ((await pair.ConnectAsync(there)).CreateJetStreamContext(), (await pair.ConnectAsync(here)).CreateJetStreamContext());
            var orders = await origin.CreateStreamAsync(new StreamConfig { Name = "ORDERS" + domain, Subjects = [$"orders.{domain}.>"] }, Ct);
            await FillAsync(origin, $"orders.{domain}", 0, 50);
            await orders.DeleteMessageAsync(7, ct: Ct);

            var mirror = await copy.CreateStreamAsync(new StreamConfig { Name = "COPY" + domain, Mirror = Of("ORDERS" + domain, domain) }, Ct);
            await AwaitAsync(mirror, 49, 50);
            await FillAsync(origin, $"orders.{domain}", 50, 50);
            await AwaitAsync(mirror, 99, 100);

            Assert.Null(await mirror.GetMessageAsync<string>(7, ct: Ct));
            foreach (var sequence in new ulong[] { 1, 50, 100 })
            {
                var (one, other) = (await orders.GetMessageAsync<string>(sequence, ct: Ct), await mirror.GetMessageAsync<string>(sequence, ct: Ct));
                Assert.Equal((one!.Subject, one.Data, one.Time), (other!.Subject, other.Data, other.Time));
            }
            var info = (await mirror.RefreshAsync(ct: Ct)).Mirror!;
            Assert.Equal(("ORDERS" + domain, $"$JS.{domain}.API", 0UL), (info.Name, info.External!.ApiPrefix, info.Lag));
            Assert.Null(info.Error);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Source_of_the_other_domain_is_filtered_transformed_and_says_where_it_came_from(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await StartAsync(hub, spoke);
        var (origin, copy) = ((await pair.ConnectAsync(pair.Hub)).CreateJetStreamContext(), (await pair.ConnectAsync(pair.Spoke)).CreateJetStreamContext());
        await origin.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] }, Ct);
        for (var i = 0; i < 20; i++) await origin.PublishAsync(i % 2 == 0 ? "orders.new" : "orders.old", $"{i}", ct: Ct);

        var sources = Of("ORDERS", "hub") with { SubjectTransforms = [new SubjectTransform { Source = "orders.new", Destination = "edge.new" }] };
        var stream = await copy.CreateStreamAsync(new StreamConfig { Name = "EDGE", Subjects = ["local.>"], Sources = [sources] }, Ct);
        await AwaitAsync(stream, 10, 10);

        var tenth = await stream.GetMessageAsync<string>(10, ct: Ct);
        Assert.Equal(("edge.new", "18"), (tenth!.Subject, tenth.Data));
        var from = tenth.Headers!["Nats-Stream-Source"]!.Split(' ');
        Assert.StartsWith("ORDERS:", from[0], StringComparison.Ordinal);
        Assert.Equal(["19", "orders.new", "edge.new", "orders.new"], from[1..5]);
        var first = await origin.GetStreamAsync("ORDERS", ct: Ct);
        Assert.Equal(20UL, first.Info.State.Messages);
    }

    [Theory]
    [MemberData(nameof(Origins))]
    public async Task Copies_are_whole_and_nothing_comes_twice_however_often_the_link_is_cut(ServerKind hub)
    {
        const int cuts = 8;
        await using var pair = await StartAsync(hub, ServerKind.Postrider);
        var (origin, copy) = ((await pair.ConnectAsync(pair.Hub)).CreateJetStreamContext(), (await pair.ConnectAsync(pair.Spoke)).CreateJetStreamContext());
        await origin.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] }, Ct);
        var mirror = await copy.CreateStreamAsync(new StreamConfig { Name = "MIRROR", Mirror = Of("ORDERS", "hub") }, Ct);
        var gathered = await copy.CreateStreamAsync(new StreamConfig { Name = "GATHERED", Sources = [Of("ORDERS", "hub")] }, Ct);
        var published = 0;
        for (var i = 0; i < cuts; i++)
        {
            await FillAsync(origin, "orders.x", published, 100);
            published += 100;
            // In the middle of what is being copied, or when nothing is.
            if (i % 2 == 0) await AwaitAsync(gathered, published, (ulong)published);
            pair.Link.Cut();
            await FillAsync(origin, "orders.x", published, 20);
            published += 20;
            pair.Link.Heal();
        }
        await FillAsync(origin, "orders.x", published, 1);
        published++;

        await AwaitAsync(mirror, published, (ulong)published);
        await AwaitAsync(gathered, published, (ulong)published);
        foreach (var stream in new[] { mirror, gathered })
        {
            var texts = new List<string>();
            await foreach (var message in (await stream.CreateConsumerAsync(new ConsumerConfig { AckPolicy = AckPolicy.None }, Ct)).FetchAsync<string>(published, ct: Ct)) texts.Add(message.Data!);
            Assert.Equal(Enumerable.Range(0, published).Select(static i => i.ToString(CultureInfo.InvariantCulture)), texts);
        }
    }

    [Theory]
    [MemberData(nameof(Origins))]
    public async Task Work_queue_is_emptied_into_the_other_domain_and_nothing_is_lost_by_cuts(ServerKind hub)
    {
        await using var pair = await StartAsync(hub, ServerKind.Postrider);
        var (origin, copy) = ((await pair.ConnectAsync(pair.Hub)).CreateJetStreamContext(), (await pair.ConnectAsync(pair.Spoke)).CreateJetStreamContext());
        var queue = await origin.CreateStreamAsync(new StreamConfig { Name = "JOBS", Subjects = ["jobs.>"], Retention = StreamRetention.WorkQueue }, Ct);
        var moved = await copy.CreateStreamAsync(new StreamConfig { Name = "MOVED", Sources = [Of("JOBS", "hub")] }, Ct);
        var published = 0;
        for (var i = 0; i < 3; i++)
        {
            await FillAsync(origin, "jobs.x", published, 50);
            published += 50;
            pair.Link.Cut();
            await FillAsync(origin, "jobs.x", published, 10);
            published += 10;
            pair.Link.Heal();
        }

        await AwaitAsync(moved, published, (ulong)published);
        await Eventually.HoldsAsync(async () => (await queue.RefreshAsync(ct: Ct)).State.Messages == 0);
        for (var i = 0; i < published; i++) Assert.Equal($"{i}", (await moved.GetMessageAsync<string>((ulong)i + 1, ct: Ct))!.Data);
    }

    [Theory]
    [MemberData(nameof(Origins))]
    public async Task What_a_full_stream_refuses_stays_in_the_work_queue_until_there_is_room(ServerKind hub)
    {
        await using var pair = await StartAsync(hub, ServerKind.Postrider);
        var (origin, copy) = ((await pair.ConnectAsync(pair.Hub)).CreateJetStreamContext(), (await pair.ConnectAsync(pair.Spoke)).CreateJetStreamContext());
        var queue = await origin.CreateStreamAsync(new StreamConfig { Name = "JOBS", Subjects = ["jobs.>"], Retention = StreamRetention.WorkQueue }, Ct);
        var moved = await copy.CreateStreamAsync(new StreamConfig { Name = "MOVED", Sources = [Of("JOBS", "hub")], MaxMessages = 20, Discard = DiscardPolicy.New }, Ct);
        await AwaitConsumerAsync(queue);
        await FillAsync(origin, "jobs.x", 0, 50);

        for (var first = 0; first < 50; first += 20)
        {
            var last = Math.Min(first + 20, 50);
            await AwaitAsync(moved, last - first, (ulong)last);
            for (var i = first; i < last; i++) Assert.Equal($"{i}", (await moved.GetMessageAsync<string>((ulong)i + 1, ct: Ct))!.Data);
            await moved.PurgeAsync(ct: Ct);
        }

        await Eventually.HoldsAsync(async () => (await queue.RefreshAsync(ct: Ct)).State.Messages == 0);
    }

    [Theory]
    [MemberData(nameof(Origins))]
    public async Task Origin_that_comes_later_or_again_is_copied_from_its_first_message(ServerKind hub)
    {
        await using var pair = await StartAsync(hub, ServerKind.Postrider);
        var (origin, copy) = ((await pair.ConnectAsync(pair.Hub)).CreateJetStreamContext(), (await pair.ConnectAsync(pair.Spoke)).CreateJetStreamContext());
        var gathered = await copy.CreateStreamAsync(new StreamConfig { Name = "GATHERED", Sources = [Of("ORDERS", "hub")] }, Ct);
        await Eventually.HoldsAsync(async () => (await gathered.RefreshAsync(ct: Ct)).Sources![0].Error?.ErrorCode == 10059);

        var config = new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] };
        await origin.CreateStreamAsync(config, Ct);
        await FillAsync(origin, "orders.x", 0, 30);
        await AwaitAsync(gathered, 30, 30);
        Assert.Null((await gathered.RefreshAsync(ct: Ct)).Sources![0].Error);

        await origin.DeleteStreamAsync("ORDERS", Ct);
        await origin.CreateStreamAsync(config, Ct);
        await FillAsync(origin, "orders.x", 30, 10);
        await AwaitAsync(gathered, 40, 40);
        Assert.Equal("39", (await gathered.GetMessageAsync<string>(40, ct: Ct))!.Data);
    }

    [Theory]
    [MemberData(nameof(Origins))]
    public async Task Copy_continues_where_it_was_after_its_server_was_started_again(ServerKind hub)
    {
        await using var first = await StartAsync(hub, ServerKind.Postrider);
        var (origin, copy) = ((await first.ConnectAsync(first.Hub)).CreateJetStreamContext(), (await first.ConnectAsync(first.Spoke)).CreateJetStreamContext());
        await origin.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] }, Ct);
        await FillAsync(origin, "orders.x", 0, 100);
        await AwaitAsync(await copy.CreateStreamAsync(new StreamConfig { Name = "MIRROR", Mirror = Of("ORDERS", "hub") }, Ct), 100, 100);
        await AwaitAsync(await copy.CreateStreamAsync(new StreamConfig { Name = "GATHERED", Sources = [Of("ORDERS", "hub")] }, Ct), 100, 100);
        await first.Spoke.KillAsync();
        await FillAsync(origin, "orders.x", 100, 50);

        await first.Spoke.RestartAsync();
        var streams = (await first.ConnectAsync(first.Spoke)).CreateJetStreamContext();
        foreach (var name in new[] { "MIRROR", "GATHERED" })
        {
            var stream = await streams.GetStreamAsync(name, ct: Ct);
            await AwaitAsync(stream, 150, 150);
            Assert.Equal("149", (await stream.GetMessageAsync<string>(150, ct: Ct))!.Data);
        }
    }

    [Theory]
    [MemberData(nameof(Origins))]
    public async Task Source_through_a_durable_consumer_lets_it_acknowledge_what_is_stored(ServerKind hub)
    {
        await using var pair = await StartAsync(hub, ServerKind.Postrider);
        var (centre, edge) = (await pair.ConnectAsync(pair.Hub), await pair.ConnectAsync(pair.Spoke));
        var origin = centre.CreateJetStreamContext();
        var queue = await origin.CreateStreamAsync(new StreamConfig { Name = "JOBS", Subjects = ["jobs.>"], Retention = StreamRetention.WorkQueue }, Ct);
        await AskAsync(centre, "$JS.API.CONSUMER.CREATE.JOBS.edge", """{"stream_name":"JOBS","config":{"name":"edge","durable_name":"edge","deliver_subject":"to.edge","ack_policy":"flow_control"}}""");
        await FillAsync(origin, "jobs.x", 0, 40);

        await AskAsync(edge, "$JS.API.STREAM.CREATE.MOVED", """{"name":"MOVED","sources":[{"name":"JOBS","external":{"api":"$JS.hub.API"},"consumer":{"name":"edge","deliver_subject":"to.edge"}}]}""");
        var moved = await edge.CreateJetStreamContext().GetStreamAsync("MOVED", ct: Ct);
        await AwaitAsync(moved, 40, 40);
        await Eventually.HoldsAsync(async () => (await queue.RefreshAsync(ct: Ct)).State.Messages == 0);

        await FillAsync(origin, "jobs.x", 40, 10);
        await AwaitAsync(moved, 50, 50);
        await Eventually.HoldsAsync(async () => (await queue.RefreshAsync(ct: Ct)).State.Messages == 0);
    }

    private async Task AskAsync(NatsClient client, string subject, string json)
    {
        var reply = await client.RequestAsync<string, string>(subject, json, ct: Ct);
        Assert.DoesNotContain("\"error\"", reply.Data, StringComparison.Ordinal);
    }

    private async Task FillAsync(JetStreamContext streams, string subject, int first, int count)
    {
        for (var i = first; i < first + count; i++) await streams.PublishAsync(subject + ".n", $"{i}", ct: Ct);
    }

    private Task AwaitConsumerAsync(JetStreamStream stream) => Eventually.HoldsAsync(async () => (await stream.RefreshAsync(ct: Ct)).State.ConsumerCount == 1);

    private async Task AwaitAsync(JetStreamStream stream, int messages, ulong last)
    {
        StreamInfo? info = null;
        try
        {
            await Eventually.HoldsAsync(async () => (info = await stream.RefreshAsync(ct: Ct)).State is var state && state.Messages == (ulong)messages && state.LastSequence == last);
        }
        catch (TimeoutException late)
        {
            throw new TimeoutException($"{stream.Name} does not have {messages} messages: {info?.State}, {info?.Mirror ?? info?.Sources?[0]}", late);
        }
    }

    private static StreamSource Of(string stream, string domain) => new() { Name = stream, External = new ExternalStream { ApiPrefix = $"$JS.{domain}.API" } };

    private Task<LeafPair> StartAsync(ServerKind hub, ServerKind spoke) => LeafPair.StartAsync(hub, spoke, Store("hub"), spokeOptions: Store("spoke"));

    private string Store(string domain) => $"jetstream {{ store_dir: \"{Path.Combine(_folder.FullName, domain)}\", domain: {domain} }}";
}
