using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.Storage.Consumers;
using Postrider.UnitTests.Broker.JetStream.Streams;
using Postrider.UnitTests.Storage;

namespace Postrider.UnitTests.Broker.JetStream.Consumers;

public sealed class RecoveryTests
{
    [Fact]
    public void Consumer_continues_behind_what_it_acknowledged()
    {
        var (disk, time) = (new SimulatedTree(), new TestClock());
        using (var before = new ConsumerHarness(disk: disk, time: time).WithStream("\"storage\":\"file\"").WithMessages(4))
        {
            before.Durable("\"ack_policy\":\"explicit\",\"ack_wait\":60000000000");
            using var client = before.Pull("3");
            var acks = AckTests.Replies(client);
            AckTests.Answer(before, acks[0], "+ACK");
            AckTests.Answer(before, acks[2], "+ACK");
        }

        using var after = new ConsumerHarness(disk: disk, time: time);
        var info = after.Info();
        using var later = after.Pull("""{"batch":5}""");

        Assert.Equal((1, 1, 1), ((int)info["ack_floor"]!["stream_seq"]!, (int)info["num_ack_pending"]!, (int)info["num_pending"]!));
        Assert.Equal("4", later.TakeText());
        after.Advance(61);
        Assert.Equal("2 4", later.TakeText());
    }

    [Fact]
    public void Acknowledgements_survive_a_kill_as_soon_as_their_batch_is_over()
    {
        var (disk, time) = (new SimulatedTree(), new TestClock());
        using var before = new ConsumerHarness(disk: disk, time: time).WithStream("\"storage\":\"file\"").WithMessages(3);
        before.Durable();
        using var client = before.Pull("3");
        foreach (var ack in AckTests.Replies(client)) AckTests.Answer(before, ack, "+ACK");

        using var after = new ConsumerHarness(disk: disk, time: time);

        Assert.Equal((3, 0), ((int)after.Info()["ack_floor"]!["stream_seq"]!, (int)after.Info()["num_ack_pending"]!));
    }

    [Fact]
    public void Counts_of_deliveries_and_changes_of_the_configuration_are_kept()
    {
        var (disk, time) = (new SimulatedTree(), new TestClock());
        using (var before = new ConsumerHarness(disk: disk, time: time).WithStream("\"storage\":\"file\"").WithMessages(1))
        {
            before.Durable();
            before.Durable("\"ack_policy\":\"explicit\",\"max_deliver\":2,\"description\":\"changed\"");
            using var client = before.Pull("""{"batch":2}""");
            AckTests.Answer(before, AckTests.Replies(client)[0], "-NAK");
            Assert.Equal("1", client.TakeText());
        }

        using var after = new ConsumerHarness(disk: disk, time: time);
        var info = after.Info();
        after.Advance(31);

        Assert.Equal("changed", (string)info["config"]!["description"]!);
        Assert.Equal(1, (int)info["num_redelivered"]!);
        Assert.Equal(0, (int)after.Info()["num_ack_pending"]!);
    }

    [Fact]
    public void Push_consumer_delivers_to_whoever_listened_before_it_was_recovered()
    {
        var (disk, time) = (new SimulatedTree(), new TestClock());
        using (var before = new ConsumerHarness(disk: disk, time: time).WithStream("\"storage\":\"file\"").WithMessages(3))
        {
            before.Durable("\"ack_policy\":\"explicit\",\"deliver_subject\":\"deliver\"");
        }
        using var after = new ConsumerHarness(disk: disk, time: time, recovers: false);
        using var client = after.Listen("deliver");

        after.Engine.Recovery.Recover();

        Assert.True(SpinWait.SpinUntil(() => client.Count == 3, TimeSpan.FromSeconds(60)));
        Assert.Equal("1 2 3", client.TakeText());
    }

    [Fact]
    public void Consumers_in_memory_do_not_come_back()
    {
        var (disk, time) = (new SimulatedTree(), new TestClock());
        using (var before = new ConsumerHarness(disk: disk, time: time).WithStream("\"storage\":\"file\""))
        {
            before.Durable("\"ack_policy\":\"explicit\",\"mem_storage\":true");
        }

        using var after = new ConsumerHarness(disk: disk, time: time);

        Assert.Equal("404 10014 consumer not found", after.Engine.Error("CONSUMER.INFO.S.C"));
    }

    [Fact]
    public void Work_that_was_done_before_a_stop_does_not_come_back()
    {
        var (disk, time) = (new SimulatedTree(), new TestClock());
        using (var before = new ConsumerHarness(disk: disk, time: time).WithStream("\"storage\":\"file\",\"retention\":\"workqueue\"").WithMessages(3))
        {
            before.Durable();
            using var client = before.Pull("2");
            foreach (var ack in AckTests.Replies(client)) AckTests.Answer(before, ack, "+ACK");
        }

        using var after = new ConsumerHarness(disk: disk, time: time);
        using var later = after.Pull("5");

        Assert.Equal(["3 a.3 3"], after.Engine.Contents("S"));
        Assert.Equal("3", later.TakeText());
    }

    [Fact]
    public void Shortened_books_are_on_the_disk_before_they_replace_the_old_ones()
    {
        const int messages = 90_000;
        var disk = new SimulatedTree();
        using var harness = new ConsumerHarness(disk: disk).WithStream("\"storage\":\"file\"");
        harness.Engine.Run(batch =>
        {
            for (var i = 0; i < messages; i++) InternalPublisher.Publish(harness.Engine.Account.Subscriptions, "a.1"u8, "x"u8, batch);
        });
        harness.Durable("\"ack_policy\":\"explicit\",\"ack_wait\":86400000000000,\"max_ack_pending\":-1");
        Assert.True(harness.Engine.Streams.TryGetStream("S", out var stream));
        var books = disk.Child("$G", "streams", "S", "obs", "C").Disk;
        using var replaced = new SemaphoreSlim(0);
        books.OnOperation(operation =>
        {
            if (operation == "rename") replaced.Release();
        });

        using var client = harness.Pull($$"""{"batch":{{messages}}}""");
        var patience = 6_000;
        while (!replaced.Wait(10, TestContext.Current.CancellationToken) && --patience > 0) harness.Advance(0.1);

        Assert.True(patience > 0, "the books were not shortened");
        using (stream.Gate.Hold()) books.Sync();
        for (var cut = 0; cut < 20; cut++)
            Assert.InRange(ConsumerJournal.Open(books.PowerCut(new Random(cut)), "state.log", out _).State.DeliveredConsumer, 50_000UL, (ulong)messages);
    }
}
