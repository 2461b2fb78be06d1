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

    private string Store(string domain) => $"jetstream {{ store_dir: \"{Path.Combine(_folder.FullName, domain)}\", domain: {domain} }}";
}
