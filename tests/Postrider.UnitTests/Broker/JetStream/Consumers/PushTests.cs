using System.Text.Json.Nodes;
using Postrider.Broker.Routing;
using Postrider.UnitTests.Broker.JetStream.Streams;

namespace Postrider.UnitTests.Broker.JetStream.Consumers;

public sealed class PushTests
{
    private const string Push = "\"ack_policy\":\"none\",\"deliver_subject\":\"to.me\"";

    [Fact]
    public void Push_consumer_gives_everything_to_who_listens()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(2);
        using var client = harness.Listen("to.me");

        var made = harness.Durable(Push);
        harness.WithMessages(1, from: 3);

        Assert.Equal("1 2 3", client.TakeText());
        Assert.True(made["push_bound"]!.GetValue<bool>());
        Assert.Equal(3, harness.Info()["ack_floor"]!["stream_seq"]!.GetValue<int>());
    }

    [Fact]
    public void Listener_that_comes_later_gets_what_waited()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(2);
        harness.Durable(Push);
        Assert.False(harness.Info().AsObject().ContainsKey("push_bound"));

        using var client = harness.Listen("to.me");

        Assert.Equal("1 2", client.TakeText());
    }

    [Fact]
    public void Idle_heartbeats_come_while_nothing_else_does()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        using var client = harness.Listen("to.me");
        harness.Durable(Push + ",\"idle_heartbeat\":1000000000");
        Assert.Equal("1", client.TakeText());

        harness.Advance(0.9);
        harness.WithMessages(1, from: 2);
        harness.Advance(0.9);
        Assert.Equal("2", client.TakeText());
        harness.Advance(0.2);

        Assert.Equal("NATS/1.0 100 Idle Heartbeat\r\nNats-Last-Consumer: 2\r\nNats-Last-Stream: 2\r\n\r\n", client.Take().Single().Headers);
    }

    [Fact]
    public async Task Flow_control_asks_at_half_a_window_and_stalls_behind_it()
    {
        using var harness = new ConsumerHarness().WithStream();
        for (var i = 0; i < 60; i++) harness.Engine.Store("a.x", new string('x', 100_000));
        using var client = harness.Listen("to.me");
        harness.Durable(Push + ",\"idle_heartbeat\":5000000000,\"flow_control\":true");

        var first = await TakeAsync(client, 22);
        var request = first.Single(message => message.Headers.StartsWith("NATS/1.0 100 FlowControl Request", StringComparison.Ordinal));
        Assert.Equal(11, first.IndexOf(request));
        Assert.Equal(22, first.Count);
        harness.Advance(5.1);
        Assert.EndsWith($"Nats-Consumer-Stalled: {request.ReplyTo}\r\n\r\n", client.Take().Single().Headers);
        AckTests.Answer(harness, request.ReplyTo, "");

        Assert.StartsWith("$JS.FC.S.C.", request.ReplyTo);
        Assert.Equal(33, (await TakeAsync(client, 33)).Count);
    }

    [Fact]
    public void Rate_limit_spreads_messages_over_time()
    {
        using var harness = new ConsumerHarness().WithStream("\"max_msg_size\":1000");
        for (var i = 1; i <= 4; i++) harness.Engine.Store("a.x", new string('x', 900));
        using var client = harness.Listen("to.me");

        harness.Durable(Push + ",\"rate_limit_bps\":8000");

        Assert.Single(client.Take());
        harness.Advance(1);
        Assert.Single(client.Take());
        harness.Advance(2.1);
        Assert.Equal(2, client.Take().Count);
    }

    [Fact]
    public void Replay_keeps_the_rhythm_in_which_messages_were_stored()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Advance(2);
        harness.WithMessages(1, from: 2);
        harness.Advance(1);
        harness.WithMessages(1, from: 3);
        using var client = harness.Listen("to.me");

        harness.Durable(Push + ",\"replay_policy\":\"original\"");

        Assert.Equal("1", client.TakeText());
        harness.Advance(1.9);
        Assert.Equal("", client.TakeText());
        harness.Advance(0.2);
        Assert.Equal("2", client.TakeText());
        harness.Advance(1.1);
        Assert.Equal("3", client.TakeText());
        harness.WithMessages(1, from: 4);
        Assert.Equal("4", client.TakeText());
    }

    [Fact]
    public void Pushed_messages_are_acknowledged_and_come_again()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(2);
        using var client = harness.Listen("to.me");
        harness.Durable("\"ack_policy\":\"explicit\",\"deliver_subject\":\"to.me\",\"ack_wait\":1000000000");
        AckTests.Answer(harness, AckTests.Replies(client)[0], "+ACK");

        harness.Advance(1.1);

        Assert.Equal("2", client.TakeText());
    }

    [Fact]
    public void Another_deliver_subject_gets_what_is_open_again()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        using var second = harness.Listen("to.you");
        using (var first = harness.Listen("to.me"))
        {
            harness.Durable("\"ack_policy\":\"explicit\",\"deliver_subject\":\"to.me\"");
            Assert.Equal("1", first.TakeText());
            Assert.Equal("400 10013 consumer name already in use", harness.Refused("\"ack_policy\":\"explicit\",\"deliver_subject\":\"to.you\""));
        }

        harness.Durable("\"ack_policy\":\"explicit\",\"deliver_subject\":\"to.you\"");

        Assert.Equal("1", second.TakeText());
    }

    [Fact]
    public void Unused_ephemeral_push_consumer_ends_and_a_used_one_stays()
    {
        using var harness = new ConsumerHarness().WithStream();
        using var listening = harness.Listen("to.me");
        foreach (var name in (string[])["used", "unused"])
        {
            var subject = name == "used" ? "to.me" : "to.nobody";
            harness.Engine.Do($"CONSUMER.CREATE.S.{name}", $$$"""{"stream_name":"S","config":{"name":"{{{name}}}","ack_policy":"none","deliver_subject":"{{{subject}}}"}}""");
        }

        harness.Advance(20);

        Assert.Equal("""["used"]""", harness.Engine.Do("CONSUMER.NAMES.S")["consumers"]!.ToJsonString());
    }

    [Fact]
    public void Flow_control_can_be_the_acknowledgement()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(3);
        using var client = harness.Listen("to.me");
        harness.Durable("\"ack_policy\":\"flow_control\",\"deliver_subject\":\"to.me\",\"max_ack_pending\":2");
        var request = client.Take()[^1];

        harness.Engine.Run(batch => Postrider.Broker.Routing.InternalPublisher.Publish(
            harness.Engine.Account.Subscriptions,
            Streams.StreamHarness.Bytes(request.ReplyTo),
            Streams.StreamHarness.Bytes(request.ReplyTo),
            [],
            Streams.StreamHarness.Headers(("Nats-Last-Consumer", "2"), ("Nats-Last-Stream", "2")),
            [],
            batch, BrokerRequester.Instance));

        Assert.Equal("3", client.TakeText());
        Assert.Equal(2, harness.Info()["ack_floor"]!["stream_seq"]!.GetValue<int>());
    }

    [Fact]
    public void Making_pausing_and_ending_are_told_of()
    {
        using var harness = new ConsumerHarness().WithStream();
        using var created = harness.Listen("$JS.EVENT.ADVISORY.CONSUMER.CREATED.S.C");
        using var deleted = harness.Listen("$JS.EVENT.ADVISORY.CONSUMER.DELETED.S.C");
        using var paused = harness.Listen("$JS.EVENT.ADVISORY.CONSUMER.PAUSE.S.C");

        harness.Durable();
        harness.Engine.Do("CONSUMER.PAUSE.S.C", """{"pause_until":"2100-01-01T00:00:00Z"}""");
        harness.Engine.Do("CONSUMER.DELETE.S.C");

        Assert.Equal(("consumer_action", "create"), Kind(created));
        Assert.Equal(("consumer_action", "delete"), Kind(deleted));
        var pause = JsonNode.Parse(paused.Take().Single().Payload)!;
        Assert.Equal(("io.nats.jetstream.advisory.v1.consumer_pause", true), ((string)pause["type"]!, (bool)pause["paused"]!));
    }

    // What does not fit into one pass comes from another thread.
    private static async Task<List<Streams.StreamHarness.Received>> TakeAsync(ConsumerHarness.Client client, int count)
    {
        List<Streams.StreamHarness.Received> taken = [];
        await Eventually.HoldsAsync(() =>
        {
            taken.AddRange(client.Take());
            return taken.Count >= count;
        });
        return taken;
    }

    private static (string Type, string Action) Kind(ConsumerHarness.Client client)
    {
        var advisory = JsonNode.Parse(client.Take().Single().Payload)!;
        Assert.Equal(("S", "C"), ((string)advisory["stream"]!, (string)advisory["consumer"]!));
        return (((string)advisory["type"]!)["io.nats.jetstream.advisory.v1.".Length..], (string)advisory["action"]!);
    }
}
