using Postrider.Broker.Routing;
using Postrider.UnitTests.Broker.JetStream.Streams;

namespace Postrider.UnitTests.Broker.JetStream.Consumers;

public sealed class AckTests
{
    [Fact]
    public void Acknowledged_message_is_done_and_raises_the_floor()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(3);
        harness.Durable();
        using var client = harness.Pull("3");
        var acks = Replies(client);

        Answer(harness, acks[1], "+ACK");
        Assert.Equal((0, 2), Floor(harness));
        Answer(harness, acks[0], "");
        Assert.Equal((2, 1), Floor(harness));
        Answer(harness, acks[2], "+OK");

        Assert.Equal((3, 0), Floor(harness));
    }

    [Theory]
    [InlineData("+ACK")]
    [InlineData("-NAK")]
    [InlineData("+WPI")]
    [InlineData("+TERM")]
    public void Acknowledgement_of_the_acknowledgement_comes_when_asked_for(string body)
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable();
        using var client = harness.Pull("1");

        var answers = harness.Engine.Request(Replies(client)[0], body);

        Assert.Equal(("", ""), (answers.Single().Payload, answers.Single().Headers));
    }

    [Fact]
    public void Acknowledgement_to_nobody_is_answered_as_such()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();

        var answers = harness.Engine.Request("$JS.ACK.S.D.1.1.1.1.1", "+ACK");

        Assert.Equal("NATS/1.0 503\r\nNats-Subject: $JS.ACK.S.D.1.1.1.1.1\r\n\r\n", answers.Single().Headers);
    }

    [Fact]
    public void Acknowledgement_of_what_was_not_delivered_is_ignored()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable();

        Assert.Empty(harness.Engine.Request("$JS.ACK.S.C.1.1.1.1.1", "+ACK"));

        Assert.Equal((0, 0), Floor(harness));
    }

    [Fact]
    public void Unanswered_message_comes_again_with_its_count()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable("\"ack_policy\":\"explicit\",\"ack_wait\":1000000000");
        using var client = harness.Pull("""{"batch":3}""");
        Replies(client);

        harness.Advance(1.1);

        Assert.StartsWith("$JS.ACK.S.C.2.1.2.", Replies(client).Single());
        Assert.Equal(1, harness.Info()["num_redelivered"]!.GetValue<int>());
        harness.Advance(1.1);
        Assert.StartsWith("$JS.ACK.S.C.3.1.3.", Replies(client).Single());
    }

    [Fact]
    public void Refused_message_comes_at_once_and_with_a_delay_later()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable();
        using var client = harness.Pull("""{"batch":9}""");

        Answer(harness, Replies(client)[0], "-NAK");
        var second = Replies(client).Single();
        Answer(harness, second, """-NAK {"delay":2000000000}""");
        Assert.Equal("", client.TakeText());
        harness.Advance(1.9);
        Assert.Equal("", client.TakeText());
        harness.Advance(0.2);
        var third = Replies(client).Single();
        Answer(harness, third, "-NAK 3s");
        harness.Advance(2.9);
        Assert.Equal("", client.TakeText());
        harness.Advance(0.2);

        Assert.StartsWith("$JS.ACK.S.C.4.1.4.", Replies(client).Single());
    }

    [Fact]
    public void Progress_prolongs_the_wait()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable("\"ack_policy\":\"explicit\",\"ack_wait\":1000000000");
        using var client = harness.Pull("""{"batch":2}""");
        var ack = Replies(client)[0];

        for (var i = 0; i < 4; i++)
        {
            harness.Advance(0.8);
            Answer(harness, ack, "+WPI");
        }

        Assert.Equal("", client.TakeText());
        harness.Advance(1.1);
        Assert.Equal("1", client.TakeText());
    }

    [Fact]
    public void Next_acknowledges_and_asks_for_more()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(4);
        harness.Durable();
        using var client = harness.Pull("1");

        var more = harness.Engine.Request(Replies(client)[0], """+NXT {"batch":2}""");

        Assert.Equal(["2", "3"], more.Select(message => message.Payload));
        Assert.Equal((1, 2), Floor(harness));
    }

    [Fact]
    public void Acknowledging_all_covers_what_came_before()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(4);
        harness.Durable("\"ack_policy\":\"all\"");
        using var client = harness.Pull("4");

        Answer(harness, Replies(client)[2], "+ACK");

        Assert.Equal((3, 1), Floor(harness));
    }

    [Fact]
    public void No_more_is_given_than_may_be_open()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(5);
        harness.Durable("\"ack_policy\":\"explicit\",\"max_ack_pending\":2");
        using var client = harness.Pull("""{"batch":9}""");
        var acks = Replies(client);
        Assert.Equal(2, acks.Count);

        Answer(harness, acks[0], "+ACK");

        Assert.Equal("3", client.TakeText());
    }

    [Fact]
    public void Backoff_sets_each_wait()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable("\"ack_policy\":\"explicit\",\"max_deliver\":4,\"backoff\":[1000000000,3000000000]");
        using var client = harness.Pull("""{"batch":9}""");
        client.Take();

        harness.Advance(1.1);
        Assert.Equal("1", client.TakeText());
        harness.Advance(2.8);
        Assert.Equal("", client.TakeText());
        harness.Advance(0.3);
        Assert.Equal("1", client.TakeText());
        harness.Advance(3.1);

        Assert.Equal("1", client.TakeText());
    }

    [Fact]
    public void After_the_last_delivery_a_message_is_given_up_and_told_of()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable("\"ack_policy\":\"explicit\",\"ack_wait\":1000000000,\"max_deliver\":2");
        using var advisories = harness.Listen("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.S.C");
        using var client = harness.Pull("""{"batch":9}""");
        client.Take();
        harness.Advance(1.1);
        Assert.Equal("1", client.TakeText());

        harness.Advance(1.1);

        Assert.Equal("", client.TakeText());
        var advisory = System.Text.Json.Nodes.JsonNode.Parse(advisories.Take().Single().Payload)!;
        Assert.Equal("io.nats.jetstream.advisory.v1.max_deliver", (string)advisory["type"]!);
        Assert.Equal((1, 2), ((int)advisory["stream_seq"]!, (int)advisory["deliveries"]!));

        // Nothing is open, and the floor that is shown stays below: as nats-server shows it.
        Assert.Equal((0, 0), Floor(harness));
    }

    [Fact]
    public void What_is_refused_after_its_last_delivery_is_given_up_when_somebody_asks_for_more()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(2);
        harness.Durable("\"ack_policy\":\"explicit\",\"max_deliver\":1");
        using var advisories = harness.Listen("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.S.C");
        using var client = harness.Pull("1");

        Answer(harness, Replies(client)[0], "-NAK");

        Assert.Empty(advisories.Take());
        Assert.Equal(1, (int)harness.Info()["num_ack_pending"]!);
        using var next = harness.Pull("1");
        Assert.Equal("2", next.TakeText());
        Assert.Equal(1, (int)System.Text.Json.Nodes.JsonNode.Parse(advisories.Take().Single().Payload)!["deliveries"]!);
        Assert.Equal(1, (int)harness.Info()["num_ack_pending"]!);
    }

    [Fact]
    public void Refusals_and_terminations_are_told_of()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable();
        using var nak = harness.Listen("$JS.EVENT.ADVISORY.CONSUMER.MSG_NAKED.S.C");
        using var term = harness.Listen("$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.S.C");
        using var client = harness.Pull("""{"batch":9}""");

        Answer(harness, Replies(client)[0], "-NAK");
        Answer(harness, Replies(client)[0], "+TERM no such order");

        var naked = System.Text.Json.Nodes.JsonNode.Parse(nak.Take().Single().Payload)!;
        Assert.Equal(("io.nats.jetstream.advisory.v1.nak", 1, 1), ((string)naked["type"]!, (int)naked["consumer_seq"]!, (int)naked["deliveries"]!));
        var terminated = System.Text.Json.Nodes.JsonNode.Parse(term.Take().Single().Payload)!;
        Assert.Equal(("io.nats.jetstream.advisory.v1.terminated", "no such order", 2), ((string)terminated["type"]!, (string)terminated["reason"]!, (int)terminated["deliveries"]!));
        Assert.Equal("", client.TakeText());
    }

    [Fact]
    public void Sampled_acknowledgements_are_measured()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable("\"ack_policy\":\"explicit\",\"sample_freq\":\"100%\"");
        using var metrics = harness.Listen("$JS.EVENT.METRIC.CONSUMER.ACK.S.C");
        using var client = harness.Pull("1");
        var ack = Replies(client)[0];
        harness.Advance(0.25);

        Answer(harness, ack, "+ACK");

        var metric = System.Text.Json.Nodes.JsonNode.Parse(metrics.Take().Single().Payload)!;
        Assert.Equal(("io.nats.jetstream.metric.v1.consumer_ack", 250_000_000), ((string)metric["type"]!, (long)metric["ack_time"]!));
    }

    [Fact]
    public void Message_that_leaves_the_stream_is_no_longer_open()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(2);
        harness.Durable();
        using var client = harness.Pull("1");
        client.Take();

        harness.Engine.Do("STREAM.MSG.DELETE.S", """{"seq":1}""");

        Assert.Equal((1, 0), Floor(harness));
        Assert.Equal(1, harness.Info()["num_pending"]!.GetValue<int>());
        harness.Engine.Do("STREAM.PURGE.S");
        Assert.Equal(0, harness.Info()["num_pending"]!.GetValue<int>());
    }

    internal static List<string> Replies(ConsumerHarness.Client client)
        => [.. client.Take().Where(message => message.ReplyTo.Length > 0).Select(message => message.ReplyTo)];

    internal static void Answer(ConsumerHarness harness, string ack, string body)
        => harness.Engine.Run(batch => Postrider.Broker.Routing.InternalPublisher.Publish(
            harness.Engine.Account.Subscriptions, Streams.StreamHarness.Bytes(ack), Streams.StreamHarness.Bytes(ack), [], [], Streams.StreamHarness.Bytes(body), batch,
            Postrider.Broker.Routing.BrokerRequester.Instance));

    // The acknowledged floor in the stream, and how many deliveries are open.
    private static (int Floor, int Open) Floor(ConsumerHarness harness)
    {
        var info = harness.Info();
        return ((int)info["ack_floor"]!["stream_seq"]!, (int)info["num_ack_pending"]!);
    }
}
