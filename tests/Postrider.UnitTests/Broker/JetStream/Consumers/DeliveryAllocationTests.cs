using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.UnitTests.Broker.JetStream.Consumers;

public sealed class DeliveryAllocationTests
{
    private const int Messages = 16;

    [Fact]
    public void Storing_delivering_acknowledging_and_removing_allocates_nothing_per_message()
    {
        // From a thousand messages on, each that is stored removes one.
        using var harness = new ConsumerHarness().WithStream("\"storage\":\"memory\",\"max_msgs\":1000");
        var tree = harness.Engine.Account.Subscriptions;
        var deliveries = new ReplySubjects();
        var acknowledgements = new ReplySubjects();
        Assert.True(tree.Add("deliver.here"u8, [], new Subscription(deliveries, "deliver.here"u8.ToArray(), [])));
        Assert.True(tree.Add("stored.here"u8, [], new Subscription(acknowledgements, "stored.here"u8.ToArray(), [])));
        harness.Durable("\"ack_policy\":\"explicit\",\"deliver_subject\":\"deliver.here\"");
        Action<SendBatch> publish = batch =>
        {
            for (var i = 0; i < Messages; i++)
                InternalPublisher.Publish(tree, "a.subject"u8, "a.subject"u8, "stored.here"u8, [], "sixteen bytes it"u8, batch, BrokerRequester.Instance);
        };
        Action<SendBatch> acknowledge = batch =>
        {
            for (var i = 0; i < deliveries.Count; i++)
                InternalPublisher.Publish(tree, deliveries[i], deliveries[i], [], [], "+ACK"u8, batch, BrokerRequester.Instance);
        };

        var perRound = Allocations.PerCall(
            () =>
            {
                deliveries.Count = acknowledgements.Count = 0;
                harness.Engine.Run(publish);
                if (deliveries.Count != Messages || acknowledgements.Count != Messages)
                    throw new InvalidOperationException($"{acknowledgements.Count} were stored and {deliveries.Count} delivered.");
                harness.Engine.Run(acknowledge);
            },
            warmUp: 500,
            calls: 200);

        // A round may cost a few bytes (a block, the clock of the test); a message costs nothing.
        Assert.InRange(perRound, 0, Messages - 1);
        Assert.Equal(0, harness.Info()["num_ack_pending"]!.GetValue<int>());
    }

    private sealed class ReplySubjects : IInternalSubscriber
    {
        private readonly byte[][] _subjects = [.. Enumerable.Range(0, Messages).Select(_ => new byte[128])];
        private readonly int[] _lengths = new int[Messages];

        public int Count { get; set; }

        public ReadOnlySpan<byte> this[int index] => _subjects[index].AsSpan(0, _lengths[index]);

        public void Handle(
            IPublishingClient? publisher,
            ReadOnlySpan<byte> subject,
            ReadOnlySpan<byte> replyTo,
            ReadOnlySpan<byte> headers,
            ReadOnlySpan<byte> payload,
            SendBatch batch)
        {
            _lengths[Count] = replyTo.Length;
            replyTo.CopyTo(_subjects[Count++]);
        }
    }
}
