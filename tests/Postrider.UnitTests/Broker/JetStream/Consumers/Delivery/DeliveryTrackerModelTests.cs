using Postrider.Broker.JetStream.Consumers.Delivery;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Storage.Consumers;
using Postrider.UnitTests.Storage;

namespace Postrider.UnitTests.Broker.JetStream.Consumers.Delivery;

/// <summary>Random days in a consumer's life, beside a model that is too simple to be wrong.</summary>
public sealed class DeliveryTrackerModelTests(ITestOutputHelper output)
{
    private const int Steps = 25_000;

    public static TheoryData<Acks, int, int, int> Rules => new()
    {
        { Acks.Explicit, 0, 0, 0 },
        { Acks.Explicit, 3, 0, 200 },
        { Acks.Explicit, 5, 4, 50 },
        { Acks.All, 0, 0, 100 },
        { Acks.All, 4, 2, 0 },
    };

    /// <summary>The policies, visible to the theory.</summary>
    public enum Acks
    {
        Explicit,
        All,
    }

    [Theory]
    [MemberData(nameof(Rules))]
    public void Books_agree_with_the_model_after_every_step(Acks policy, int maxDeliver, int backoffs, int maxAckPending)
    {
        var seed = Seed.Next();
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var rules = new RedeliverySettings(
            policy == Acks.All ? AckPolicy.All : AckPolicy.Explicit,
            1000,
            [.. Enumerable.Range(1, backoffs).Select(i => i * 300L)],
            (ulong)maxDeliver,
            maxAckPending);
        var disk = new SimulatedDisk();
        var log = ConsumerJournal.Open(disk, "state.log", out _);
        var tracker = new DeliveryTracker(log.State, log, rules);
        var model = new ReferenceTracker(rules);
        long now = 1_000_000;
        for (var step = 0; step < Steps; step++)
        {
            now += random.Next(40);
            Step(random, tracker, model, rules, now);
            if (random.Next(200) == 0) log.Commit();
            if (random.Next(2000) == 0)
            {
                log.Commit();
                AssertSameState(log.State, ConsumerJournal.Open(disk.Copy(), "state.log", out _).State);
            }
            AssertAgrees(tracker, model, isThorough: step % 64 == 0);
        }
    }

    private static void Step(Random random, DeliveryTracker tracker, ReferenceTracker model, RedeliverySettings rules, long now)
    {
        switch (random.Next(20))
        {
            case < 8 when !tracker.IsFull:
                var sequence = tracker.NextStream + (ulong)(random.Next(4) == 0 ? random.Next(5) : 0);
                var expected = model.NextConsumer;
                model.Deliver(sequence, 1, now);
                Assert.Equal(expected, tracker.Deliver(sequence, 1, now));
                break;
            case < 11:
                Redeliver(tracker, model, now);
                break;
            case < 15 when rules.AckPolicy == AckPolicy.All:
                var (upTo, number) = Pick(random, model);
                Assert.Equal(model.AcknowledgeUpTo(upTo, number), tracker.AcknowledgeUpTo(upTo, number));
                break;
            case < 15:
                var done = Pick(random, model).Sequence;
                Assert.Equal(model.Acknowledge(done), tracker.Acknowledge(done, out _));
                break;
            case 15:
                var refused = Pick(random, model).Sequence;
                long? delay = random.Next(2) == 0 ? random.Next(3000) : null;
                Assert.Equal(model.Nak(refused, delay, now), tracker.Nak(refused, delay, now));
                break;
            case 16:
                var prolonged = Pick(random, model).Sequence;
                Assert.Equal(model.ExtendAckWait(prolonged, now), tracker.ExtendAckWait(prolonged, now));
                break;
            case 17 when random.Next(50) == 0:
                var first = model.NextStream > 10 ? model.NextStream - (ulong)random.Next(10) : 1;
                model.RemoveBelow(first);
                tracker.RemoveBelow(first);
                break;
            case 18 when random.Next(300) == 0:
                var start = (ulong)random.Next(1, 1000);
                model.Restart(start);
                tracker.Restart(start);
                break;
            default:
                model.CollectDue(now);
                tracker.CollectDue(now);
                break;
        }
    }

    // Whoever asks what is to be given again learns first what was given up on the way.
    private static void Redeliver(DeliveryTracker tracker, ReferenceTracker model, long now)
    {
        var known = model.Exhausted.Count;
        var found = tracker.TryPeekRedelivery(out var again, out var deliveries);
        foreach (var (sequence, _) in tracker.Exhausted.Skip(known).ToArray())
        {
            Assert.Contains(sequence, model.Queued.Where(model.IsSpent));
            model.Exhaust(sequence);
        }
        Assert.Equal(model.Queued.Any(), found);
        if (!found) return;
        Assert.Contains(again, model.Queued.Where(sequence => !model.IsSpent(sequence)));
        Assert.Equal(model.Deliveries(again) + 1, deliveries);
        model.Deliver(again, deliveries, now);
        tracker.Deliver(again, deliveries, now);
    }

    // Mostly something open, sometimes something that never was.
    private static (ulong Sequence, ulong Number) Pick(Random random, ReferenceTracker model)
    {
        if (model.Open.Count == 0 || random.Next(10) == 0) return ((ulong)random.Next(1, (int)model.NextStream + 1), (ulong)random.Next(1, (int)model.NextConsumer + 1));
        var pair = random.Next(2) == 0 ? model.Open.First() : model.Open.ElementAt(random.Next(model.Open.Count));
        return (pair.Key, pair.Value.Number);
    }

    private static void AssertAgrees(DeliveryTracker tracker, ReferenceTracker model, bool isThorough)
    {
        Assert.Equal(model.Open.Count, tracker.OpenCount);
        Assert.Equal((model.NextStream, model.NextConsumer), (tracker.NextStream, tracker.NextConsumer));
        Assert.Equal(model.Floor, (tracker.State.AckFloorStream, tracker.State.AckFloorConsumer));
        Assert.Equal(model.Exhausted.Count, tracker.Exhausted.Count);
        Assert.Equal(model.Again.Count, tracker.State.Redelivered.Count);
        if (!isThorough) return;
        Assert.Equal(model.Queued.Count(), tracker.RedeliveryCount);
        Assert.Equal(model.NextDue, tracker.NextDue);
        Assert.Equal(model.Exhausted, tracker.Exhausted);
        Assert.Equal(model.Open.Select(pair => (pair.Key, pair.Value.Number)), tracker.State.Pending.All().Select(open => (open.StreamSequence, open.ConsumerSequence)));
        Assert.Equal(model.Again.OrderBy(pair => pair.Key), tracker.State.Redelivered.OrderBy(pair => pair.Key));
    }

    private static void AssertSameState(ConsumerState expected, ConsumerState actual)
    {
        Assert.Equal(expected.Pending.All(), actual.Pending.All());
        Assert.Equal(expected.Redelivered.OrderBy(pair => pair.Key), actual.Redelivered.OrderBy(pair => pair.Key));
        Assert.Equal(
            (expected.DeliveredStream, expected.DeliveredConsumer, expected.AckFloorStream, expected.AckFloorConsumer),
            (actual.DeliveredStream, actual.DeliveredConsumer, actual.AckFloorStream, actual.AckFloorConsumer));
        Assert.Equal(expected.ShownFloor, actual.ShownFloor);
    }
}
