using System.Text.Json.Nodes;
using Postrider.Broker;
using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Acknowledgements of publishes that share a flush: whoever has one may lose the power.</summary>
public sealed class GroupCommitTests(ITestOutputHelper output)
{
    private const int Publishes = 25;

    [Fact]
    public void Acknowledgement_leaves_when_the_disk_has_the_message()
    {
        var seed = Seed.Next();
        output.WriteLine($"seed {seed}");
        using var harness = new StreamHarness(new JetStreamOptions { Durability = JetStreamDurability.GroupSync });
        harness.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.>"],"storage":"file"}""");
        using var witness = new Witness(harness.Disk, new Random(seed));
        var subscription = new Subscription(witness, "_INBOX.witness"u8, []);
        Assert.True(harness.Account.Subscriptions.Add("_INBOX.witness"u8, [], subscription));

        for (var i = 1; i <= Publishes; i++)
        {
            var payload = StreamHarness.Bytes($"{i}");
            harness.Run(batch => InternalPublisher.Publish(harness.Account.Subscriptions, "a.1"u8, "a.1"u8, "_INBOX.witness"u8, [], payload, batch, BrokerRequester.Instance));
            witness.Await();
        }

        Assert.Equal(Enumerable.Range(1, Publishes).Select(static i => $"{i} of {i}"), witness.Found);
    }

    /// <summary>Cuts the power whenever it hears an acknowledgement, and looks what the disk has.</summary>
    private sealed class Witness(SimulatedTree disk, Random random) : IInternalSubscriber, IDisposable
    {
        private readonly SemaphoreSlim _heard = new(0);

        public List<string> Found { get; } = [];

        public void Handle(
            IPublishingClient? publisher,
            ReadOnlySpan<byte> subject,
            ReadOnlySpan<byte> replyTo,
            ReadOnlySpan<byte> headers,
            ReadOnlySpan<byte> payload,
            SendBatch batch)
        {
            Found.Add(Find(JsonNode.Parse(payload)!["seq"]!.GetValue<int>()));
            _heard.Release();
        }

        public void Await() => Assert.True(_heard.Wait(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken), "no acknowledgement");

        public void Dispose() => _heard.Dispose();

        private string Find(int acknowledged)
        {
            // On the committer's thread, where a failure must not end the process.
            try
            {
                using var after = new StreamHarness(disk: disk.PowerCut(random));
                return $"{after.Contents("S").Count} of {acknowledged}";
            }
            catch (Exception problem)
            {
                return $"{problem.Message} at {acknowledged}";
            }
        }
    }
}
