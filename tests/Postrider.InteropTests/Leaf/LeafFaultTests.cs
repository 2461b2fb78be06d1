using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Leaf;

/// <summary>A link that is cut at random in the middle of frames while messages are stored and requests are sent: a mirror and a stream with a source on the other side
/// have all messages once, a request has one answer or none, and interest is right after the last heal. POSTRIDER_LINK_CUTS sets how often it is cut, POSTRIDER_SEED where.</summary>
public sealed class LeafFaultTests(ITestOutputHelper output) : IDisposable
{
    private const int CutsInSuite = 6;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider");
    private readonly CancellationTokenSource _limit = new(TimeSpan.FromMinutes(2) + (Cuts * TimeSpan.FromSeconds(6)));

    public static MatrixTheoryData<ServerKind, ServerKind> Kinds => LeafPair.Kinds;

    private static int Cuts => int.TryParse(Environment.GetEnvironmentVariable("POSTRIDER_LINK_CUTS"), CultureInfo.InvariantCulture, out var cuts) ? cuts : CutsInSuite;

    private CancellationToken Ct => _limit.Token;

    public void Dispose()
    {
        _limit.Dispose();
        _folder.Delete(recursive: true);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Nothing_stored_is_lost_or_doubled_by_random_cuts(ServerKind hub, ServerKind spoke)
    {
        var seed = Seed.Next();
        output.WriteLine($"POSTRIDER_SEED={seed}");
        await using var centre = await LeafPair.StartHubAsync(hub, Store("hub"), "compression: s2_fast");
        await using var link = new FaultyLink(await LeafPair.LeafPortAsync(centre), seed, Cuts);
        await using var edge = await LeafPair.StartSpokeAsync(spoke, "spoke", link.HostAndPort, Store("spoke"), "compression: s2_fast");
        await using var inside = await LeafPair.ConnectToAsync(centre);
        await using var outside = await LeafPair.ConnectToAsync(edge);
        // What is stored on either side is copied to the other one.
        var down = await CopyAsync(inside.CreateJetStreamContext(), "ORDERS", outside.CreateJetStreamContext(), "$JS.hub.API");
        var up = await CopyAsync(outside.CreateJetStreamContext(), "REPORTS", inside.CreateJetStreamContext(), "$JS.spoke.API");
        await using var noise = inside.Subscribe<string>("noise.>");
        await inside.FlushAsync(Ct);
        var published = 0;

        // Until the link was cut so often: each message is stored on its side, and some traffic crosses besides.
        while (link.Cuts < Cuts)
        {
            foreach (var (origin, _) in new[] { down, up }) await origin.PublishAsync(published, Ct);
            await outside.PublishAsync("noise.a", $"{published++}", ct: Ct);
        }
        output.WriteLine($"{link.Cuts} cuts, {published} messages in each direction");

        await LeafPair.AwaitLinksAsync(edge, 1);
        await LeafPair.AwaitInterestAsync(edge, "noise.>");
        foreach (var (origin, _) in new[] { down, up }) await origin.PublishAsync(published, Ct);
        published++;
        foreach (var stream in down.Copies.Concat(up.Copies))
        {
            await Eventually.HoldsAsync(
                async () => (await stream.RefreshAsync(ct: Ct)).State.Messages >= (ulong)published, TimeSpan.FromMinutes(2), what: $"{published} messages in {stream.Name}");
            var numbers = new List<int>();
            await foreach (var message in (await stream.CreateConsumerAsync(new ConsumerConfig { AckPolicy = AckPolicy.None }, Ct)).FetchAsync<string>(published, ct: Ct))
                numbers.Add(int.Parse(message.Data!.Split(' ')[0], CultureInfo.InvariantCulture));
            Assert.Equal(Enumerable.Range(0, published), numbers);
            Assert.Equal((ulong)published, (await stream.RefreshAsync(ct: Ct)).State.Messages);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Request_has_at_most_one_answer_and_one_member_of_a_queue_group_however_often_the_link_is_cut(ServerKind hub, ServerKind spoke)
    {
        var seed = Seed.Next();
        output.WriteLine($"POSTRIDER_SEED={seed}");
        await using var centre = await LeafPair.StartHubAsync(hub);
        await using var link = new FaultyLink(await LeafPair.LeafPortAsync(centre), seed, Cuts);
        await using var edge = await LeafPair.StartSpokeAsync(spoke, "spoke", link.HostAndPort);
        await using var inside = await LeafPair.ConnectToAsync(centre);
        await using var outside = await LeafPair.ConnectToAsync(edge);
        // Asked from the edge, from the centre, and a group with members on both sides.
        var (down, up, both) = (new Handled(), new Handled(), new Handled());
        foreach (var _ in Enumerable.Range(0, 2))
        {
            down.Serve(inside, "ask.centre");
            up.Serve(outside, "ask.edge");
        }
        both.Serve(inside, "ask.any");
        both.Serve(outside, "ask.any");
        await inside.FlushAsync(Ct);
        await outside.FlushAsync(Ct);
        await using var fromEdge = new Requester(outside);
        await using var fromCentre = new Requester(inside);
        var asked = 0;

        while (link.Cuts < Cuts)
        {
            await Task.WhenAll(fromEdge.AskAsync("ask.centre", asked, Ct), fromCentre.AskAsync("ask.edge", asked, Ct));
            await Task.WhenAll(fromEdge.AskAsync("ask.any", 2 * asked, Ct), fromCentre.AskAsync("ask.any", (2 * asked) + 1, Ct));
            asked++;
        }

        await LeafPair.AwaitLinksAsync(edge, 1);
        await LeafPair.AwaitInterestAsync(edge, "ask.centre");
        await LeafPair.AwaitInterestAsync(centre, "ask.edge");
        Assert.True(await fromEdge.AskAsync("ask.centre", asked, Ct));
        Assert.True(await fromCentre.AskAsync("ask.edge", asked, Ct));
        await inside.FlushAsync(Ct);
        await outside.FlushAsync(Ct);
        output.WriteLine($"{link.Cuts} cuts, {asked} rounds; answered: {fromEdge.Answered} at the edge, {fromCentre.Answered} at the centre");
        Assert.Empty(down.Twice.Concat(up.Twice).Concat(both.Twice));
        Assert.Empty(fromEdge.AnsweredTwice.Concat(fromCentre.AnsweredTwice));
        // The member on the requester's side is always reachable.
        Assert.Equal(2 * asked, both.Count);
    }

    private async Task<(Origin Origin, JetStreamStream[] Copies)> CopyAsync(JetStreamContext from, string name, JetStreamContext to, string api)
    {
        var subject = name.ToLowerInvariant();
        await from.CreateStreamAsync(new StreamConfig { Name = name, Subjects = [subject + ".>"] }, Ct);
        var source = new StreamSource { Name = name, External = new ExternalStream { ApiPrefix = api } };
        return (new Origin(from, subject + ".new"),
        [
            await to.CreateStreamAsync(new StreamConfig { Name = name + "-MIRROR", Mirror = source }, Ct),
            await to.CreateStreamAsync(new StreamConfig { Name = name + "-GATHERED", Sources = [source] }, Ct),
        ]);
    }

    private string Store(string domain) => $"jetstream {{ store_dir: \"{Path.Combine(_folder.FullName, domain)}\", domain: {domain} }}";

    private sealed record Origin(JetStreamContext Streams, string Subject)
    {
        public async Task PublishAsync(int number, CancellationToken ct) => await Streams.PublishAsync(Subject, $"{number} {new string('x', number % 300)}", ct: ct);
    }

    /// <summary>What the members of one queue group were given.</summary>
    private sealed class Handled
    {
        private readonly ConcurrentDictionary<int, int> _times = new();

        public int Count => _times.Count;

        public IEnumerable<string> Twice => _times.Where(static one => one.Value > 1).Select(static one => $"request {one.Key} was handled {one.Value} times");

        /// <summary>Adds a member, which ends with its client.</summary>
        public void Serve(NatsClient client, string subject) => client.Subscribe<int>(
            subject,
            async (message, ct) =>
            {
                _times.AddOrUpdate(message.Data, 1, static (_, times) => times + 1);
                await message.ReplyAsync(message.Data, ct: ct);
            },
            "team");
    }

    /// <summary>Sends requests and counts what comes back for each, also after its time.</summary>
    private sealed class Requester : IAsyncDisposable
    {
        // A request that was on the link when it was cut has no answer; a late one counts too.
        private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

        private readonly ConcurrentDictionary<string, (int Times, TaskCompletionSource<bool> First)> _replies = new();
        private readonly NatsClient _client;
        private readonly string _inbox;
        private readonly NatsSubscription _subscription;
        private int _answered;

        public Requester(NatsClient client)
        {
            (_client, _inbox) = (client, client.NewInbox());
            _subscription = client.SubscribeRaw(_inbox + ".>", Count);
        }

        public int Answered => Volatile.Read(ref _answered);

        public IEnumerable<string> AnsweredTwice => _replies.Where(static one => one.Value.Times > 1).Select(static one => $"{one.Key} had {one.Value.Times} answers");

        /// <summary>Sends one and waits for its answer.</summary>
        /// <returns>False when the server says that nobody is there, or nothing comes in time.</returns>
        public async Task<bool> AskAsync(string subject, int number, CancellationToken ct)
        {
            var replyTo = $"{_inbox}.{subject}.{number}";
            var first = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            _replies[replyTo] = (0, first);
            await _client.PublishAsync(subject, number, replyTo: replyTo, ct: ct);
            try
            {
                return await first.Task.WaitAsync(Patience, ct);
            }
            catch (TimeoutException)
            {
                return false;
            }
        }

        public ValueTask DisposeAsync() => _subscription.DisposeAsync();

        // An answer has a payload, the server's "no responders" has none.
        private void Count(RawMessage message)
        {
            var isAnswer = message.Payload.Length > 0;
            if (isAnswer) Interlocked.Increment(ref _answered);
            _replies.AddOrUpdate(
                Encoding.ASCII.GetString(message.Subject), static _ => throw new InvalidOperationException("An answer to no request."), static (_, known) => (known.Times + 1, known.First))
                .First.TrySetResult(isAnswer);
        }
    }
}
