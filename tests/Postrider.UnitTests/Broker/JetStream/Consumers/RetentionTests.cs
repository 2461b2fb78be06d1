using Postrider.UnitTests.Broker.JetStream.Streams;
using Postrider.UnitTests.Storage;

namespace Postrider.UnitTests.Broker.JetStream.Consumers;

public sealed class RetentionTests
{
    [Fact]
    public void Work_queue_message_leaves_with_its_acknowledgement()
    {
        using var harness = new ConsumerHarness().WithStream("\"retention\":\"workqueue\"").WithMessages(3);
        harness.Durable();
        using var client = harness.Pull("2");
        var acks = AckTests.Replies(client);

        AckTests.Answer(harness, acks[1], "+ACK");
        Assert.Equal(["1 a.1 1", "3 a.3 3"], harness.Engine.Contents("S"));
        AckTests.Answer(harness, acks[0], "+TERM");

        Assert.Equal(["3 a.3 3"], harness.Engine.Contents("S"));
        Assert.Equal(1, harness.Info()["num_pending"]!.GetValue<int>());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Message_that_came_back_after_its_acknowledgement_leaves_again(bool isKilled)
    {
        var harness = new ConsumerHarness().WithStream("\"retention\":\"workqueue\",\"storage\":\"file\"").WithMessages(3);
        try
        {
            harness.Durable();
            using var client = harness.Pull("3");
            var acks = AckTests.Replies(client);
            var disk = harness.Engine.Disk.Child("$G", "streams", "S", "msgs").Disk;
            disk.Room = 0;

            // The first one stays open: the floor is below the second.
            AckTests.Answer(harness, acks[1], "+ACK");
            Assert.Equal(["1 a.1 1", "2 a.2 2", "3 a.3 3"], harness.Engine.Contents("S"));
            disk.Room = long.MaxValue;
            if (isKilled)
            {
                var left = harness.Engine.Disk.Copy();
                harness.Dispose();
                harness = new ConsumerHarness(disk: left, time: harness.Engine.Time);
            }
            harness.Advance(6);

            Assert.Equal(["1 a.1 1", "3 a.3 3"], harness.Engine.Contents("S"));
        }
        finally
        {
            harness.Dispose();
        }
    }

    [Theory]
    [InlineData("\"ack_policy\":\"all\"", "400 10098 workqueue stream requires explicit ack")]
    [InlineData("\"ack_policy\":\"none\"", "400 10084 consumer in pull mode requires explicit ack policy on workqueue stream")]
    [InlineData("\"ack_policy\":\"explicit\",\"deliver_policy\":\"new\"", "400 10101 consumer must be deliver all on workqueue stream")]
    [InlineData("\"ack_policy\":\"explicit\"", "400 10099 multiple non-filtered consumers not allowed on workqueue stream")]
    [InlineData("\"ack_policy\":\"explicit\",\"filter_subject\":\"a.*\"", "400 10100 filtered consumer not unique on workqueue stream")]
    public void Work_queue_consumers_share_no_message(string members, string error)
    {
        using var harness = new ConsumerHarness().WithStream("\"retention\":\"workqueue\"");
        harness.Durable("\"ack_policy\":\"explicit\",\"filter_subject\":\"a.x\"");

        Assert.Equal(error, harness.Refused(members, "D"));
    }

    [Fact]
    public void Work_queue_consumers_of_different_subjects_live_together()
    {
        using var harness = new ConsumerHarness().WithStream("\"retention\":\"workqueue\"");
        harness.Durable("\"ack_policy\":\"explicit\",\"filter_subject\":\"a.x\"");

        harness.Engine.Do("CONSUMER.CREATE.S.D", """{"stream_name":"S","config":{"durable_name":"D","ack_policy":"explicit","filter_subject":"a.y"}}""");

        Assert.Equal("""["C","D"]""", harness.Engine.Do("CONSUMER.NAMES.S")["consumers"]!.ToJsonString());
    }

    [Fact]
    public void Interest_message_leaves_when_everybody_is_done()
    {
        using var harness = new ConsumerHarness().WithStream("\"retention\":\"interest\"");
        harness.Durable();
        harness.Engine.Do("CONSUMER.CREATE.S.D", """{"stream_name":"S","config":{"durable_name":"D","ack_policy":"explicit","filter_subject":"a.1"}}""");
        harness.WithMessages(2);
        using var client = harness.Pull("2");

        foreach (var ack in AckTests.Replies(client)) AckTests.Answer(harness, ack, "+ACK");
        Assert.Equal(["1 a.1 1"], harness.Engine.Contents("S"));
        harness.Engine.Do("CONSUMER.DELETE.S.D");

        Assert.Empty(harness.Engine.Contents("S"));
    }

    [Fact]
    public void Interest_stream_keeps_nothing_that_nobody_wants()
    {
        using var harness = new ConsumerHarness().WithStream("\"retention\":\"interest\"");
        harness.Durable("\"ack_policy\":\"explicit\",\"filter_subject\":\"a.2\"");

        harness.WithMessages(2);

        Assert.Equal(["2 a.2 2"], harness.Engine.Contents("S"));
    }

    [Fact]
    public void Acknowledging_all_lets_a_range_leave()
    {
        using var harness = new ConsumerHarness().WithStream("\"retention\":\"interest\"");
        harness.Durable("\"ack_policy\":\"all\"");
        harness.WithMessages(4);
        using var client = harness.Pull("4");

        AckTests.Answer(harness, AckTests.Replies(client)[2], "+ACK");

        Assert.Equal(["4 a.4 4"], harness.Engine.Contents("S"));
    }

    [Theory]
    [InlineData("workqueue")]
    [InlineData("interest")]
    public void Restart_keeps_what_another_consumer_still_needs(string retention)
    {
        var (disk, time) = (new SimulatedTree(), new TestClock());
        using (var before = new ConsumerHarness(disk: disk, time: time).WithStream($"\"storage\":\"file\",\"retention\":\"{retention}\""))
        {
            before.Durable("\"ack_policy\":\"explicit\",\"filter_subjects\":[\"a.2\",\"a.4\"]");
            before.Engine.Do("CONSUMER.CREATE.S.D", """{"stream_name":"S","config":{"durable_name":"D","ack_policy":"explicit","filter_subjects":["a.1","a.3"]}}""");
            before.WithMessages(4);
            using var client = before.Pull("2");
            foreach (var ack in AckTests.Replies(client)) AckTests.Answer(before, ack, "+ACK");
        }

        using var after = new ConsumerHarness(disk: disk, time: time);

        Assert.Equal(["1 a.1 1", "3 a.3 3"], after.Engine.Contents("S"));
        Assert.Equal(2, (int)after.Engine.Do("CONSUMER.INFO.S.D")["num_pending"]!);
    }

    [Fact]
    public void Restart_keeps_what_a_consumer_needs_that_cannot_be_read()
    {
        var (disk, time) = (new SimulatedTree(), new TestClock());
        using (var before = new ConsumerHarness(disk: disk, time: time).WithStream("\"storage\":\"file\",\"retention\":\"interest\""))
        {
            before.Durable();
            before.Engine.Do("CONSUMER.CREATE.S.D", """{"stream_name":"S","config":{"durable_name":"D","ack_policy":"explicit"}}""");
            before.WithMessages(2);
            using var client = before.Pull("2");
            foreach (var ack in AckTests.Replies(client)) AckTests.Answer(before, ack, "+ACK");
        }
        foreach (var file in (string[])["meta.json", "meta.json.copy"])
        {
            var folder = disk.All().Single(folder => folder.Path.EndsWith("/D", StringComparison.Ordinal));
            if (folder.Files().Contains(file)) folder.Disk.Replace(file, "harmed"u8.ToArray());
        }

        using var after = new ConsumerHarness(disk: disk, time: time);

        Assert.Equal(["1 a.1 1", "2 a.2 2"], after.Engine.Contents("S"));
    }

    [Fact]
    public void Reset_of_a_work_queue_consumer_removes_nothing()
    {
        using var harness = new ConsumerHarness().WithStream("\"retention\":\"workqueue\"").WithMessages(3);
        harness.Durable("\"ack_policy\":\"explicit\",\"filter_subject\":\"a.2\"");

        harness.Engine.Do("CONSUMER.RESET.S.C", """{"seq":4}""");

        Assert.Equal(["1 a.1 1", "2 a.2 2", "3 a.3 3"], harness.Engine.Contents("S"));
    }

    [Fact]
    public void Message_that_was_given_up_stays()
    {
        using var harness = new ConsumerHarness().WithStream("\"retention\":\"workqueue\"").WithMessages(1);
        harness.Durable("\"ack_policy\":\"explicit\",\"ack_wait\":1000000000,\"max_deliver\":1");
        using var client = harness.Pull("1");

        harness.Advance(1.1);

        Assert.Equal(["1 a.1 1"], harness.Engine.Contents("S"));
        Assert.Equal(0, harness.Info()["num_ack_pending"]!.GetValue<int>());
    }
}
