using Postrider.Broker;
using Postrider.UnitTests.Broker.JetStream.Streams;

namespace Postrider.UnitTests.Broker.JetStream.Consumers;

/// <summary>Consumers whose settings change, that share a stream, or whose clients acknowledge what is not theirs.</summary>
public sealed class ConsumerRuleTests
{
    private const string Explicit = "\"ack_policy\":\"explicit\"";

    [Theory]
    [InlineData("update")]
    [InlineData("pause")]
    [InlineData("restart")]
    public void A_long_delay_of_one_message_does_not_delay_the_others(string how)
    {
        var harness = new ConsumerHarness().WithStream("\"storage\":\"file\"").WithMessages(3);
        try
        {
            const string Settings = "\"ack_policy\":\"explicit\",\"ack_wait\":1000000000";
            harness.Durable(Settings);
            using (var first = harness.Pull("1")) AckTests.Answer(harness, AckTests.Replies(first)[0], """-NAK {"delay":9000000000}""");
            switch (how)
            {
                case "update":
                    harness.Durable(Settings + ",\"description\":\"other\"");
                    break;
                case "pause":
                    harness.Engine.Do("CONSUMER.PAUSE.S.C", """{"pause_until":"2030-01-01T00:00:00Z"}""");
                    harness.Engine.Do("CONSUMER.PAUSE.S.C");
                    break;
                default:
                    harness.Dispose();
                    harness = new ConsumerHarness(disk: harness.Engine.Disk, time: harness.Engine.Time);
                    break;
            }
            using var client = harness.Pull("""{"batch":20}""");
            Assert.Equal("2 3", client.TakeText());

            harness.Advance(1.1);
            Assert.Equal("2 3", client.TakeText());
            harness.Advance(1.1);
            Assert.Equal("2 3", client.TakeText());
            harness.Advance(7);

            Assert.Contains("1", client.TakeText().Split(' '));
        }
        finally
        {
            harness.Dispose();
        }
    }

    [Fact]
    public void A_delay_is_as_long_as_asked_also_with_backoff_and_after_an_update()
    {
        const string Settings = "\"ack_policy\":\"explicit\",\"max_deliver\":5,\"backoff\":[500000000,3000000000]";
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable(Settings);
        using var client = harness.Pull("""{"batch":9}""");
        client.Take();
        harness.Advance(0.6);
        AckTests.Answer(harness, AckTests.Replies(client).Single(), """-NAK {"delay":5000000000}""");
        harness.Durable(Settings + ",\"description\":\"other\"");

        harness.Advance(4.9);
        Assert.Equal("", client.TakeText());
        harness.Advance(0.2);

        Assert.Equal("1", client.TakeText());
    }

    [Fact]
    public void A_consumer_that_is_no_longer_pinned_delivers_to_everybody()
    {
        const string Pinned = ",\"priority_policy\":\"pinned_client\",\"priority_groups\":[\"g\"],\"priority_timeout\":1000000000";
        const string Settings = "\"ack_policy\":\"explicit\",\"ack_wait\":700000000";
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable(Settings + Pinned);
        using var pinned = harness.Pull("""{"batch":1,"group":"g"}""");
        AckTests.Answer(harness, AckTests.Replies(pinned)[0], "+ACK");

        harness.Durable(Settings);
        harness.Advance(2);
        harness.WithMessages(1, from: 2);
        using var client = harness.Pull("""{"batch":50,"expires":3000000000,"idle_heartbeat":1000000000}""");

        Assert.DoesNotContain("Nats-Pin-Id", client.Take().Single().Headers);
        harness.Advance(0.8);
        Assert.Equal("2", client.TakeText());
        harness.Advance(2.3);
        Assert.Contains("[408 Request Timeout]", client.TakeText(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("+ACK")]
    [InlineData("+TERM")]
    public void An_acknowledgement_does_not_remove_what_another_consumer_of_a_work_queue_needs(string body)
    {
        using var harness = new ConsumerHarness().WithStream("\"retention\":\"workqueue\"");
        harness.Durable(Explicit + ",\"filter_subject\":\"a.1\"");
        Other(harness, "a.2");
        foreach (var subject in new[] { "a.2", "a.1", "a.2" }) harness.Engine.Store(subject);
        using var client = harness.Pull("1");
        client.Take();

        harness.Engine.Request("$JS.ACK.S.C.1.1.1.1.0", body);

        Assert.Equal(3, harness.Engine.Contents("S").Count);
        Assert.Equal(2, harness.Engine.Do("CONSUMER.INFO.S.D")["num_pending"]!.GetValue<int>());
    }

    [Fact]
    public void An_acknowledgement_of_a_message_that_no_longer_belongs_to_the_consumer_leaves_it_to_the_other()
    {
        using var harness = new ConsumerHarness().WithStream("\"retention\":\"workqueue\"");
        harness.Durable();
        harness.Engine.Store("a.1");
        harness.Engine.Store("a.2");
        using var client = harness.Pull("2");
        var acks = AckTests.Replies(client);
        harness.Durable(Explicit + ",\"filter_subject\":\"a.1\"");
        Other(harness, "a.2");

        AckTests.Answer(harness, acks[1], "+ACK");
        AckTests.Answer(harness, acks[0], "+ACK");

        Assert.Equal(["2 a.2"], harness.Engine.Contents("S"));
    }

    [Fact]
    public void A_stream_that_becomes_one_of_interest_removes_what_is_acknowledged()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();
        Other(harness, "a.1");
        foreach (var subject in new[] { "a.1", "a.2", "a.2", "a.1" }) harness.Engine.Store(subject);
        using var client = harness.Pull("4");
        var acks = AckTests.Replies(client);
        foreach (var ack in acks.Take(2)) AckTests.Answer(harness, ack, "+ACK");
        foreach (var number in new[] { "1.1.1", "1.4.2" })
        {
            harness.Engine.Request("$JS.API.CONSUMER.MSG.NEXT.S.D");
            harness.Engine.Request($"$JS.ACK.S.D.{number}.1.0", "+ACK");
        }

        harness.Engine.Do("STREAM.UPDATE.S", """{"name":"S","subjects":["a.>"],"retention":"interest"}""");

        Assert.Equal(["3 a.2", "4 a.1"], harness.Engine.Contents("S"));
        foreach (var ack in acks.Skip(2)) AckTests.Answer(harness, ack, "+ACK");
        Assert.Empty(harness.Engine.Contents("S"));
    }

    [Fact]
    public void A_stream_that_becomes_one_of_interest_without_consumers_is_emptied()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(3);

        harness.Engine.Do("STREAM.UPDATE.S", """{"name":"S","subjects":["a.>"],"retention":"interest"}""");

        Assert.Empty(harness.Engine.Contents("S"));
    }

    [Fact]
    public void A_durable_consumer_that_is_updated_by_its_name_alone_stays_durable()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();

        var changed = harness.Engine.Do("CONSUMER.CREATE.S.C", """{"stream_name":"S","config":{"name":"C","ack_policy":"explicit","description":"other"}}""");
        harness.Advance(60);

        Assert.Equal(("other", null), (changed["config"]!["description"]!.GetValue<string>(), changed["config"]!["inactive_threshold"]));
        Assert.Equal("C", harness.Info()["config"]!["durable_name"]!.GetValue<string>());
    }

    [Fact]
    public void Consumers_of_other_streams_that_copy_a_work_queue_do_not_compete_with_its_workers()
    {
        using var harness = new ConsumerHarness().WithStream("\"retention\":\"workqueue\",\"max_consumers\":1");
        const string Copies = "\"ack_policy\":\"flow_control\",\"sourcing\":true,\"deliver_subject\":\"d\",\"idle_heartbeat\":1000000000,\"flow_control\":true";
        harness.Durable();

        harness.Engine.Do("CONSUMER.CREATE.S.copies", $$$"""{"stream_name":"S","config":{"durable_name":"copies",{{{Copies}}}}}""");
        harness.Engine.Do("CONSUMER.DELETE.S.C");
        harness.Durable();

        Assert.Equal(2, harness.Engine.Do("CONSUMER.NAMES.S")["total"]!.GetValue<int>());
    }

    [Theory]
    [InlineData("""{"batch":3,"no_wait":true}""")]
    [InlineData("""{"batch":3,"no_wait":true,"expires":9000000000}""")]
    public void A_request_that_does_not_wait_receives_messages_that_are_replayed_at_their_own_time(string request)
    {
        using var harness = new ConsumerHarness().WithStream();
        for (var i = 1; i <= 3; i++)
        {
            harness.Engine.Store("a.1", $"{i}");
            harness.Advance(1);
        }
        harness.Durable(Explicit + ",\"replay_policy\":\"original\"");
        using var client = harness.Pull(request);
        Assert.Equal("1", client.TakeText());

        harness.Advance(1.1);
        Assert.Equal("2", client.TakeText());
        harness.Advance(1.1);

        Assert.StartsWith("3", client.TakeText(), StringComparison.Ordinal);
    }

    [Fact]
    public void Flow_control_does_not_acknowledge_what_was_not_delivered()
    {
        using var harness = new ConsumerHarness().WithStream("\"retention\":\"workqueue\"");
        using var client = harness.Listen("d");
        harness.Durable("\"ack_policy\":\"flow_control\",\"max_ack_pending\":2,\"deliver_subject\":\"d\",\"flow_control\":true,\"idle_heartbeat\":1000000000");
        harness.WithMessages(5);
        var request = client.Take().Single(static message => message.ReplyTo.StartsWith("$JS.FC.", StringComparison.Ordinal));

        harness.Engine.Request(request.ReplyTo, "", ("Nats-Last-Consumer", "2"), ("Nats-Last-Stream", "4"));

        Assert.StartsWith("3 4", client.TakeText(), StringComparison.Ordinal);
        Assert.Equal(["3 a.3 3", "4 a.4 4", "5 a.5 5"], harness.Engine.Contents("S"));
    }

    [Theory]
    [InlineData("\"max_ack_pending\":5", "500 10069 change to limits violates consumers: C")]
    [InlineData("\"inactive_threshold\":1000000000", "500 10069 change to limits violates consumers: C")]
    [InlineData("\"max_ack_pending\":1000,\"inactive_threshold\":60000000000", "")]
    public void Limits_for_consumers_are_not_set_below_those_that_exist(string limits, string expected)
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable(Explicit + ",\"max_ack_pending\":1000,\"inactive_threshold\":60000000000");
        var request = $$$"""{"name":"S","subjects":["a.>"],"consumer_limits":{{{{limits}}}}}""";

        if (expected.Length == 0) Assert.Null(harness.Engine.Api("STREAM.UPDATE.S", request)["error"]);
        else Assert.Equal(expected, harness.Engine.Error("STREAM.UPDATE.S", request));
    }

    [Fact]
    public void A_rate_limit_holds_for_redeliveries_too()
    {
        using var harness = new ConsumerHarness().WithStream("\"max_msg_size\":1000");
        using var client = harness.Listen("d");
        harness.Durable(Explicit + ",\"deliver_subject\":\"d\",\"rate_limit_bps\":8000");
        for (var i = 1; i <= 2; i++) harness.Engine.Store("a.1", new string('x', 900));
        harness.Advance(1.2);
        foreach (var ack in AckTests.Replies(client)) AckTests.Answer(harness, ack, "-NAK");

        Assert.InRange(client.Take().Count, 0, 1);
        harness.Advance(0.5);
        Assert.InRange(client.Count, 2, 3);
        harness.Advance(3);
        Assert.Equal(4, client.Count);
    }

    [Fact]
    public void A_request_without_a_priority_comes_last()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable(Explicit + ",\"priority_policy\":\"prioritized\",\"priority_groups\":[\"g\"]");
        using var low = harness.Pull("""{"batch":1,"group":"g","priority":5}""");
        using var without = harness.Pull("1");

        harness.WithMessages(1);

        Assert.Equal(("1", ""), (low.TakeText(), without.TakeText()));
    }

    [Theory]
    [InlineData("g", "g", true)]
    [InlineData("g", "", false)]
    [InlineData("g", "h", false)]
    [InlineData("", "h", false)]
    [InlineData("", "", true)]
    public void Messages_are_delivered_as_long_as_the_deliver_group_has_a_member(string group, string subscriber, bool isDelivered)
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        using var inbox = harness.Engine.Listen("d", subscriber);

        harness.Durable(Explicit + $",\"deliver_subject\":\"d\",\"deliver_group\":\"{group}\"");
        harness.Engine.AwaitQueues();

        Assert.Equal(isDelivered ? 1 : 0, inbox.Messages.Count);
        Assert.Equal(isDelivered, harness.Info()["push_bound"]?.GetValue<bool>() ?? false);
    }

    [Fact]
    public void Another_deliver_group_is_delivered_to_after_an_update()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        using var inbox = harness.Engine.Listen("d", "h");
        harness.Durable(Explicit + ",\"deliver_subject\":\"d\",\"deliver_group\":\"g\"");
        harness.Engine.AwaitQueues();
        Assert.Empty(inbox.Messages);

        harness.Durable(Explicit + ",\"deliver_subject\":\"d\",\"deliver_group\":\"h\"");
        harness.WithMessages(1, from: 2);

        Assert.Equal(["1", "2"], inbox.Messages.Select(static message => message.Payload));
    }

    [Fact]
    public void The_end_of_a_pause_is_announced_once()
    {
        using var harness = new ConsumerHarness().WithStream();
        using var heard = harness.Listen("$JS.EVENT.ADVISORY.CONSUMER.PAUSE.>");
        harness.Durable();
        var until = harness.Engine.Time.GetUtcNow().AddSeconds(2);
        harness.Engine.Do("CONSUMER.PAUSE.S.C", $$"""{"pause_until":"{{until:O}}"}""");
        harness.Advance(3);
        Assert.Equal(2, heard.Take().Count);

        harness.Durable(Explicit + ",\"description\":\"other\"");
        harness.Advance(3);

        Assert.Empty(heard.Take());
    }

    [Fact]
    public void An_acknowledgement_that_requests_the_next_message_of_a_push_consumer_is_refused()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        using var client = harness.Listen("d");
        harness.Durable(Explicit + ",\"deliver_subject\":\"d\"");
        harness.Engine.AwaitQueues();

        var answers = harness.Engine.Request(AckTests.Replies(client).Single(), "+NXT");

        Assert.StartsWith("NATS/1.0 409 Consumer is push based", answers.Single().Headers, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "_", "", 1)]
    [InlineData("", "hub", "", 0)]
    [InlineData("hub", "hub", "", 1)]
    [InlineData("hub", "_", "", 0)]
    [InlineData("", "_", "xxxxxxxx", 0)]
    public void An_acknowledgement_of_another_domain_or_account_is_not_taken(string domain, string named, string account, int floor)
    {
        using var harness = new ConsumerHarness(new JetStreamOptions { Domain = domain.Length > 0 ? domain : null, MaxMemoryBytes = 1 << 30, MaxStoreBytes = 1 << 30 }).WithStream().WithMessages(1);
        harness.Durable();
        using var client = harness.Pull("1");
        client.Take();
        var hash = account.Length > 0 ? account : Postrider.Broker.JetStream.Text.ShortHash.Of("$G");

        var answers = harness.Engine.Request($"$JS.ACK.{named}.{hash}.S.C.1.1.1.1.0", "+ACK");

        Assert.Equal(floor, harness.Info()["ack_floor"]!["stream_seq"]!.GetValue<int>());
        Assert.StartsWith(floor == 1 ? "" : "NATS/1.0 503", answers.Single().Headers, StringComparison.Ordinal);
    }

    private static void Other(ConsumerHarness harness, string filter)
        => harness.Engine.Do("CONSUMER.CREATE.S.D", $$$"""{"stream_name":"S","config":{"durable_name":"D","ack_policy":"explicit","filter_subject":"{{{filter}}}"}}""");
}
