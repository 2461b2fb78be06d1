using System.Globalization;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Leaf;

/// <summary>A link that is cut at random in the middle of frames while messages are stored: a mirror and a stream with a source on the other side have all of them once,
/// and interest is right after each heal. POSTRIDER_LINK_CUTS sets how often it is cut, POSTRIDER_SEED where.</summary>
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
        var (origin, copies) = (inside.CreateJetStreamContext(), outside.CreateJetStreamContext());
        await origin.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] }, Ct);
        var external = new ExternalStream { ApiPrefix = "$JS.hub.API" };
        var mirror = await copies.CreateStreamAsync(new StreamConfig { Name = "MIRROR", Mirror = new StreamSource { Name = "ORDERS", External = external } }, Ct);
        var gathered = await copies.CreateStreamAsync(new StreamConfig { Name = "GATHERED", Sources = [new StreamSource { Name = "ORDERS", External = external }] }, Ct);
        await using var noise = inside.Subscribe<string>("noise.>");
        await inside.FlushAsync(Ct);
        var published = 0;

        // Until the link was cut so often: each message is stored at the centre, and some traffic crosses in the other direction.
        while (link.Cuts < Cuts)
        {
            await origin.PublishAsync("orders.new", $"{published++} {new string('x', published % 300)}", ct: Ct);
            await outside.PublishAsync("noise.a", $"{published}", ct: Ct);
        }
        output.WriteLine($"{link.Cuts} cuts, {published} messages");

        await LeafPair.AwaitLinksAsync(edge, 1);
        await LeafPair.AwaitInterestAsync(edge, "noise.>");
        await origin.PublishAsync("orders.new", $"{published++} last", ct: Ct);
        foreach (var stream in new[] { mirror, gathered })
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

    private string Store(string domain) => $"jetstream {{ store_dir: \"{Path.Combine(_folder.FullName, domain)}\", domain: {domain} }}";
}
